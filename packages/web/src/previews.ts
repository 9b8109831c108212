import { randomUUID } from 'node:crypto'

/** Untrusted HTML that waits to be shown: each has a random id, and can be read once within a minute. */
export interface Previews {
  keep(html: string): string
  take(id: string): string | undefined
}

const life = 60_000
const maxBytes = 64 * 1_048_576

/**
 * Creates a store for HTML that the page shows once. `take` returns `undefined` if it is unknown, was taken, is older than a
 * minute, or was dropped because all together have more than 67 million characters; the oldest are dropped first. `now` returns
 * milliseconds.
 */
export function makePreviews(now: () => number = Date.now): Previews {
  const waiting = new Map<string, { readonly html: string; readonly until: number }>()
  let bytes = 0
  const drop = (id: string): void => {
    bytes -= waiting.get(id)?.html.length ?? 0
    waiting.delete(id)
  }
  return {
    keep: (html) => {
      for (const [id, { until }] of waiting) if (until <= now() || bytes + html.length > maxBytes) drop(id)
      const id = randomUUID()
      waiting.set(id, { html, until: now() + life })
      bytes += html.length
      return id
    },
    take: (id) => {
      const found = waiting.get(id)
      drop(id)
      return found && found.until > now() ? found.html : undefined
    },
  }
}
