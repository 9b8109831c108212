import { answer, trapParts, type Visit } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { crawlOf, openSite } from './bench.ts'

const createdIn = new Date().getUTCFullYear()

describe('a site without end', () => {
  test.each(trapParts)('at $path is left soon, reported as $kind, and its honest pages are visited', async (part) => {
    const site = await openSite()
    const { status, urls, errors, explained } = await crawlOf({ url: site.url + part.path, limit: 2_000 })
    expect(status).toMatchObject({ status: 'completed', failed: 0, cancelled: 0 })
    for (const number of [1, 2, 3]) expect(urls).toContain(`${site.url}${part.path}honest/${number}`)
    // A calendar may be followed from the year of the site to two years from now.
    const most = part.kind === 'calendar' ? Math.max(part.most, (createdIn + 3 - 2026) * 12) : part.most
    expect(urls.length).toBeLessThanOrEqual(most + 5)
    const traps = errors.errors.filter(({ code }) => code === 'trap')
    expect(traps.map(({ error }) => error).join('\n')).toContain(`(${part.kind})`)
    expect(status.message).toContain('no end')
    expect(explained).toContainEqual(expect.objectContaining({ outcome: 'left', reason: 'TRAP' }))
  })

  test('stands in the errors once for each shape, not once for each address', async () => {
    const site = await openSite()
    const { errors, explained } = await crawlOf({ url: `${site.url}/traps/facets/`, limit: 2_000 })
    expect(explained.filter(({ reason }) => reason === 'TRAP').length).toBeGreaterThan(20)
    expect(errors.errors.filter(({ code }) => code === 'trap')).toHaveLength(1)
  })

  test('never brings more pages than the limit', async () => {
    const site = await openSite()
    const { status } = await crawlOf({ url: `${site.url}/traps/facets/`, limit: 37 })
    expect(status).toMatchObject({ completed: 37, total: 37 })
  })

  test('is told from pages that are missing: the same words with status 404 close nothing', async () => {
    const pages = Array.from({ length: 60 }, (_, number) => `<a href="/shop/${number}">${number}</a>`)
    const missing = `<p>${'This page is not here any more, and we are very sorry for it; look at our other pages instead of it. '.repeat(2)}</p>`
    const answerWith = (status: number, body: string) => (visit: Visit) => answer(visit, 'text/html', body, { status })
    const site = await openSite({
      routes: [
        { path: '/shop/', about: 'a list', handle: answerWith(200, pages.join('')) },
        { path: '/shop/:number', about: 'gone', handle: answerWith(404, missing) },
      ],
    })
    const { urls, errors } = await crawlOf({ url: `${site.url}/shop/` })
    expect(urls).toHaveLength(61)
    expect(errors.errors).toEqual([])
  })
})
