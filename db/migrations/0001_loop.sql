CREATE TABLE `access_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`token_sha256` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_name_unique` ON `access_tokens` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_token_sha256_unique` ON `access_tokens` (`token_sha256`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`who` text,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text
);
--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit` (`at`,`id`);--> statement-breakpoint
CREATE TABLE `case_results` (
	`experiment_id` text NOT NULL,
	`arm` text NOT NULL,
	`case_id` text NOT NULL,
	`run` integer NOT NULL,
	`passed` integer NOT NULL,
	`errored` integer NOT NULL,
	`result` text NOT NULL,
	`finished_at` integer NOT NULL,
	PRIMARY KEY(`experiment_id`, `arm`, `case_id`, `run`),
	FOREIGN KEY (`experiment_id`) REFERENCES `experiments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `experiment_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`experiment_id` text NOT NULL,
	`at` integer NOT NULL,
	`line` text NOT NULL,
	FOREIGN KEY (`experiment_id`) REFERENCES `experiments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `experiment_log_by_experiment` ON `experiment_log` (`experiment_id`,`id`);--> statement-breakpoint
CREATE TABLE `experiments` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text,
	`proposal_id` text,
	`change` text NOT NULL,
	`change_class` text NOT NULL,
	`metric` text,
	`rationale` text,
	`holdout_in` integer NOT NULL,
	`request` text NOT NULL,
	`plan_sha256` text,
	`state` text NOT NULL,
	`jobs` integer,
	`problem` text,
	`started_at` integer,
	`finished_at` integer,
	`verdict_id` text,
	FOREIGN KEY (`proposal_id`) REFERENCES `proposals`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`verdict_id`) REFERENCES `verdicts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `experiments_by_time` ON `experiments` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`experiment_id` text,
	`arm` text NOT NULL,
	`case_id` text NOT NULL,
	`run` integer NOT NULL,
	`payload` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`attempts_max` integer NOT NULL,
	`run_after` integer NOT NULL,
	`lease_token` text,
	`lease_until` integer,
	`problem` text,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`experiment_id`) REFERENCES `experiments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `jobs_to_claim` ON `jobs` (`state`,`run_after`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_once` ON `jobs` (`experiment_id`,`kind`,`arm`,`case_id`,`run`);--> statement-breakpoint
CREATE TABLE `notified` (
	`target` text NOT NULL,
	`finding_id` text NOT NULL,
	`new_sent_at` integer,
	`resolved_sent_at` integer,
	`summary` text NOT NULL,
	PRIMARY KEY(`target`, `finding_id`)
);
--> statement-breakpoint
CREATE TABLE `proposals` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`change_class` text,
	`change` text,
	`metric` text,
	`rationale` text,
	`reason` text,
	`command` text,
	`brief` text NOT NULL,
	`reply` text NOT NULL,
	`window` text NOT NULL,
	`usage` text,
	`cost_usd` real,
	`elapsed_ms` integer NOT NULL,
	`scripted` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `proposals_by_time` ON `proposals` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`cookie_sha256` text PRIMARY KEY NOT NULL,
	`token_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`token_id`) REFERENCES `access_tokens`(`id`) ON UPDATE no action ON DELETE cascade
);
