/** Returns the message of an error, or any other thrown value as a string. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message
  try {
    return String(error)
  } catch {
    return `a value of type ${typeof error}`
  }
}

/** Returns the code of an error of Node or of a library, such as `ENOENT`; `undefined` if it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
