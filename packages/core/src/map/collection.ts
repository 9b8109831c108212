import { similarKey } from '@harvestman/site'
import type { MapScope } from './scope.ts'

/** A link of a map. Unknown fields are absent. */
export interface MapLink {
  readonly url: string
  readonly title?: string
  readonly description?: string
}

export interface FoundPage {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** The links found, in order and without duplicates. */
export interface Collection {
  /** Adds a page. Returns the normalized link, or `undefined` if it is out of scope or the collection is full. */
  add(found: FoundPage): string | undefined
  readonly size: number
  readonly isFull: boolean
  links(): MapLink[]
}

interface CollectedPage {
  url: string
  title?: string
  description?: string
}

/**
 * Creates an empty collection for up to `room` links. `add` returns the URL under which a link is listed; `undefined` if it is
 * out of scope or the collection is full.
 */
export function makeCollection(scope: MapScope, room: number): Collection {
  const pages = new Map<string, CollectedPage>()
  return {
    add: ({ url, title, description }) => {
      const shown = scope(url)
      if (shown === undefined) return undefined
      const key = similarKey(shown)
      const known = pages.get(key)
      if (known) {
        if (isBetter(shown, known.url)) known.url = shown
        complete(known, title, description)
        return known.url
      }
      if (pages.size >= room) return undefined
      const link: CollectedPage = { url: shown }
      complete(link, title, description)
      pages.set(key, link)
      return shown
    },
    get size() {
      return pages.size
    },
    get isFull() {
      return pages.size >= room
    },
    links: () => [...pages.values()],
  }
}

/** Returns whether the first of two spellings is preferred: `https:` first, then no `www.`, then the shorter one. */
function isBetter(one: string, other: string): boolean {
  const [secure, otherSecure] = [one.startsWith('https:'), other.startsWith('https:')]
  if (secure !== otherSecure) return secure
  const [www, otherWww] = [hasWww(one), hasWww(other)]
  if (www !== otherWww) return otherWww
  return one.length < other.length
}

function hasWww(url: string): boolean {
  return url.startsWith('www.', url.indexOf('//') + 2)
}

function complete(link: CollectedPage, title: string | undefined, description: string | undefined): void {
  if (title && !link.title) link.title = title
  if (description && !link.description) link.description = description
}
