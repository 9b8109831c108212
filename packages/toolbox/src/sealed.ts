/** Encrypts credentials in records before they are stored, and decrypts them when they are read. */
export interface Vault {
  /**
   * Returns the value with its credentials encrypted, or the very same value if it has no credentials. Equal values give equal
   * results.
   */
  seal(value: unknown): unknown
  /**
   * Returns the value with its credentials decrypted. Credentials encrypted with another key stay encrypted: see `isSealed`.
   */
  open(value: unknown): unknown
}

/** Name of the only member of an encrypted object. */
export const sealedMark = '$sealed'
/** Prefix of an encrypted string. */
export const sealedScheme = 'sealed:'
const maxUrlLength = 8_192
const credentialUrls = [
  /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+@/i,
  /^[a-z][a-z\d+.-]*:\/\/\S*[?&](?:api[-_]?key|(?:access|auth)?[-_]?token|client_secret|password|secret|signature)=[^&]/i,
  /^https:\/\/(?:hooks\.slack\.com|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks)\//i,
]

/**
 * Returns whether a string is a URL with a user name and password or with a key in its query, or a URL that is itself secret,
 * such as a webhook of Slack or Discord. False for strings of more than 8,192 characters.
 */
export function hasCredentials(text: string): boolean {
  return text.length <= maxUrlLength && credentialUrls.some((pattern) => pattern.test(text))
}

/** Returns whether a value itself, not one of its members, is still encrypted, because this process does not have its key. */
export function isSealed(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(sealedScheme)
  return typeof value === 'object' && value !== null && Object.hasOwn(value, sealedMark)
}
