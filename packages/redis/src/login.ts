import type { EngineError } from '@harvestman/ports'

/** User name and password of a URL. Absent ones are omitted. */
export interface Login {
  readonly username?: string
  readonly password?: string
}

/**
 * Reads `user:password` of a URL. The password may contain colons. Throws the error that `invalid` creates for an invalid
 * percent encoding.
 */
export function loginOf(text: string, invalid: () => EngineError): Login {
  const [, user = '', secret = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? []
  const [username, password] = [decodedPart(user, invalid), decodedPart(secret, invalid)]
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) }
}

/** Decodes a part of a URL. Throws the error that `invalid` creates for an invalid percent encoding. */
export function decodedPart(text: string, invalid: () => EngineError): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid()
  }
}
