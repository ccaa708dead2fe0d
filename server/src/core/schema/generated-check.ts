/** One fault as ajv reports it. `instancePath` is a JSON pointer into the value checked. */
export interface CheckError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** A schema compiled ahead of time. `errors` belongs to the latest call and is null where the value is good. */
export interface GeneratedCheck {
  (value: unknown): boolean;
  errors?: readonly CheckError[] | null;
}
