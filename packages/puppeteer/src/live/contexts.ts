import type { Contexts } from '../fence/shared.ts'
import type { Place } from '../pool/place.ts'

export const maxContexts = 10

/**
 * Creates the contexts of a live browser. `setUp` prepares a context before a client may use it. `open` resolves to a message
 * if there are already 10 beside the main one, and rejects if the browser or `setUp` fails.
 */
export function makeContexts(place: Place, setUp: (contextId: string) => Promise<void>): Contexts {
  const more = new Set<string>()
  let opening = 0
  return {
    main: place.contextId,
    get more() {
      return [...more]
    },
    has: (contextId): contextId is string =>
      contextId === place.contextId || (typeof contextId === 'string' && more.has(contextId)),
    open: async () => {
      if (more.size + opening >= maxContexts)
        return `A live browser has at most ${maxContexts} contexts beside its own. Close one (Target.disposeBrowserContext).`
      opening += 1
      try {
        const id = await place.openContext()
        try {
          await setUp(id)
        } catch (error) {
          await place.closeContext(id).catch(() => undefined)
          throw error
        }
        more.add(id)
        return { id }
      } finally {
        opening -= 1
      }
    },
    close: async (contextId) => {
      if (!more.delete(contextId)) return
      await place.closeContext(contextId)
    },
  }
}
