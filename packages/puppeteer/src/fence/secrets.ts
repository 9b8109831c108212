import type { Message } from './heard.ts'

/** Prints messages for one client. Nothing comes of what cannot be said. */
export interface Print {
  (message: object): string
  /** A large message: `written` stands in it as the value of its last name. */
  large(head: object, name: 'result' | 'params', written: string): string | undefined
}

// Above this it would take too long to look for the one value that holds a secret.
const mostSearched = 1_048_576

/**
 * Prints messages for a client without what holds a secret: a browser tells of every header it sends, and so of the one
 * that opens its way out.
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
    if (written.length > mostSearched) return undefined
    return print({ ...head, [name]: JSON.parse(written) as Message['params'] })
  }
  return Object.assign(print, { large })
}
