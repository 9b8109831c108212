/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/** A value of a store: JSON, or bytes, which are stored unchanged. */
export type Value = Json | Uint8Array

/** Returns whether a value is an object: not `null` and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
