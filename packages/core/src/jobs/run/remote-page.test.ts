import { encodedJson, encodeJson } from '@harvestman/ports/values'
import { expect, test } from 'vitest'

import type { Scraped } from '../../scrape/scraped.ts'
import { factsOfPage } from './remote-page.ts'

test('the facts of a page for another engine have its values decoded, so that a store can encrypt credentials in them', () => {
  const links = ['https://bob:hunter2@a.test/']
  const encoded = encodedJson(encodeJson(links)!)
  const page = { url: 'https://a.test/', status: 200, headers: {} }
  const values = { links: encoded, other: 'not read for the job' }
  // Cast: only these fields are read.
  const scraped = { document: { metadata: { creditsUsed: 1 } }, visit: { page }, values } as unknown as Scraped
  const facts = factsOfPage(scraped, [{ field: 'links', name: 'links', options: null, encode: true }])
  expect(facts.values).toEqual({ links })
  expect(encoded.json.byteLength).toBe(0)
})
