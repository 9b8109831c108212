/**
 * Prints messages for a client without what holds a secret: a browser tells of every header it sends, and so of the one
 * that opens its way out.
 */
export function makePrint(secrets: readonly string[]): (message: object) => string {
  const holds = (text: string): boolean => secrets.some((secret) => text.includes(secret))
  return (message) => {
    const text = JSON.stringify(message)
    if (!holds(text)) return text
    return JSON.stringify(message, (_name, value: unknown) =>
      typeof value === 'string' && holds(value) ? undefined : value,
    )
  }
}
