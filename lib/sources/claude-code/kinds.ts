/** Record types that hold the conversation; all others are book-keeping. */
export const CONVERSATION: ReadonlySet<string> = new Set(["user", "assistant", "system"]);

/**
 * Record types that no counter needs: progress of a running tool (a sub-agent's messages in it also stand in the
 * sub-agent's file), snapshots of edited files, queue and mode book-keeping, titles, attachments (text delivered into a
 * running run starts no run of its own).
 */
export const BOOK_KEEPING: ReadonlySet<string> = new Set([
  "agent-color",
  "agent-name",
  "agent-setting",
  "ai-title",
  "artifact-autoreact-ledger",
  "artifact-comment-monitor",
  "atis-latch",
  "attachment",
  "attribution-snapshot",
  "bridge-session",
  "content-replacement",
  "continued-in",
  "cost-state",
  "custom-title",
  "ended-by-model",
  "file-history-delta",
  "file-history-snapshot",
  "fork-context-ref",
  "frame-link",
  "history-suppression",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "queue-operation",
  "relocated",
  "summary",
  "tag",
  "worktree-state",
]);
