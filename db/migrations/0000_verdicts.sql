CREATE TABLE `share_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`verdict_id` text NOT NULL,
	`token_sha256` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`verdict_id`) REFERENCES `verdicts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `share_tokens_token_sha256_unique` ON `share_tokens` (`token_sha256`);--> statement-breakpoint
CREATE INDEX `share_tokens_by_verdict` ON `share_tokens` (`verdict_id`);--> statement-breakpoint
CREATE TABLE `verdicts` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL,
	`stored_at` integer NOT NULL,
	`outcome` text NOT NULL,
	`reason` text NOT NULL,
	`currency` text NOT NULL,
	`change_class` text NOT NULL,
	`change` text,
	`prediction` text,
	`predicted_metric` text,
	`baseline` text NOT NULL,
	`candidate` text NOT NULL,
	`document` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `verdicts_by_time` ON `verdicts` (`created_at`,`id`);