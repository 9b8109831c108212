import type { Message } from './heard.ts'

/** Serializes messages for one client. `large` returns `undefined` for a message that cannot be redacted. */
export interface Print {
  (message: object): string
  /** Serializes a large message, whose last field `name` has the JSON string `written` as its value. */
  large(head: object, name: 'result' | 'params', written: string): string | undefined
}

// In a larger message it would take too long to find the value that contains the secret.
const maxSearched = 1_048_576

/**
 * Creates a serializer that omits all values that contain a secret. Browsers report every header they send, including the one
 * with the proxy credentials.
 */
export function makePrint(secrets: readonly string[]): Print {
  const holds = (text: string): boolean => secrets.some((secret) => text.includes(secret))
  const print = (message: object): string => {
    const text = JSON.stringify(message)
    if (!holds(text)) return text
    return JSON.stringify(message, (_name, value: unknown) =>
      typeof value === 'string' && holds(value) ? undefined : value,
    )
  }
  const large: Print['large'] = (head, name, written) => {
    if (!holds(written)) return `${JSON.stringify(head).slice(0, -1)},"${name}":${written}}`
    if (written.length > maxSearched) return undefined
    return print({ ...head, [name]: JSON.parse(written) as Message['params'] })
  }
  return Object.assign(print, { large })
}
