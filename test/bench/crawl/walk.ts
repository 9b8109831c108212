// What every contender without a crawler of its own does: from page to page, each once, so many at once.
export interface Told {
  /** A page is done: so many letters of text or Markdown. */
  (letters: number): void
}

export interface Walk {
  readonly start: string
  readonly limit: number
  readonly atOnce: number
  readonly told: Told
}

/** Turns an address into its links and the length of its text. */
export type Visit = (url: string) => Promise<{ readonly links: Iterable<string>; readonly letters: number }>

export async function walk({ start, limit, atOnce, told }: Walk, visit: Visit): Promise<void> {
  const waiting = [start]
  const seen = new Set(waiting)
  let next = 0
  let running = 0
  const done = Promise.withResolvers<void>()
  const one = async (url: string): Promise<void> => {
    const { links, letters } = await visit(url)
    told(letters)
    for (const link of links) {
      if (seen.size >= limit || seen.has(link) || !link.startsWith(start)) continue
      seen.add(link)
      waiting.push(link)
    }
  }
  const go = (): void => {
    while (running < atOnce && next < waiting.length) {
      running += 1
      void one(waiting[next++] ?? '').then(
        () => {
          running -= 1
          go()
        },
        (error: unknown) => done.reject(error as Error),
      )
    }
    if (running === 0) done.resolve()
  }
  go()
  await done.promise
}

/** The addresses of links as they are in the page, made whole. */
export function* wholeLinks(hrefs: Iterable<string | undefined>, base: string): Generator<string> {
  for (const href of hrefs) {
    const url = href === undefined ? null : URL.parse(href, base)
    if (!url) continue
    url.hash = ''
    yield url.href
  }
}
