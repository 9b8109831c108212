const portion = 2_000

/** An answer with made-up rows of a crawl of so many pages, as a server would send it. */
export function rowsFrom(start: number, all: number): object {
  const made = Array.from({ length: Math.min(portion, all - start) }, (_, index) => rowOf(start + index))
  const next = start + made.length
  return { success: true, job: jobOf(all), rows: made, cursor: String(next), hasMore: next < all }
}

function jobOf(pages: number): object {
  return {
    id: 'large',
    kind: 'crawl',
    status: 'completed',
    about: 'https://example.com',
    total: pages,
    completed: pages,
    failed: 0,
    creditsUsed: pages,
    createdAt: '2026-01-01T00:00:00.000Z',
  }
}

function rowOf(number: number): object {
  return {
    outcome: 'visited',
    url: `https://example.com/articles/${number}-long-thin-legs?page=${number % 7}`,
    id: `page-${number}`,
    status: number % 50 === 0 ? 404 : 200,
    title: `Article ${number}: harvestmen of the world`,
    bytes: 2_000 + ((number * 7_919) % 90_000),
    credits: 1,
    at: new Date(Date.UTC(2026, 0, 1) + number * 40).toISOString(),
  }
}
