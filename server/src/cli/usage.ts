/** The command cannot do what it was asked: told on standard error, exit code 2. */
export class UsageError extends Error {}
