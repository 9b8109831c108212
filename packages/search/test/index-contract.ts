// The behaviour of an index with a model, wherever its pages are stored.
import { createHash } from 'node:crypto'

import { createEngine, type EngineOptions } from '@harvestman/core'
import { EngineError, type Embeddings, type EngineEvent } from '@harvestman/ports'
import { engineErrorOf, hashedVector } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { pageIndex, type PageIndexOptions } from '../src/index.ts'
import { serveSite } from './site.ts'

/** Returns the options of an index without pages, which several engines can open. */
export type NewPlace = (cleanups: (() => Promise<void> | void)[]) => PageIndexOptions

/** Defines the tests of an index. Call it at the top of a file. */
export function indexContract(newPlace: NewPlace): void {
  const site = serveSite()
  const { bodies, cleanups } = site

  const { signal } = new AbortController()

  /** A model that knows a few synonyms, and records the texts that it embeds. */
  function model(name = 'synonyms') {
    const documents: string[] = []
    const state = { isBroken: false, tokens: 1_000 }
    const vectorOf = (text: string): Float32Array => {
      const vector = hashedVector(text.replaceAll(/\b(?:automobile|car|vehicle)s?\b/gi, 'automobile'))
      const length = Math.hypot(...vector)
      return Float32Array.from(vector, (value) => value / length)
    }
    const embeddings: Embeddings = {
      name,
      embed: async (texts, purpose) => {
        if (state.isBroken) throw new Error('The model is broken.')
        if (purpose === 'document') documents.push(...texts)
        return { vectors: texts.map(vectorOf), usage: { inputTokens: state.tokens * texts.length, outputTokens: 0 } }
      },
    }
    return { embeddings, documents, state }
  }

  const paragraph = (text: string): string => `<p>${text} ${'It has more words that fill a sentence. '.repeat(3)}</p>`
  const page = (title: string, text: string, language = 'en'): string =>
    `<html lang="${language}"><title>${title}</title><main><h1>${title}</h1>${paragraph(text)}</main></html>`

  function open(options: PageIndexOptions = {}, more: EngineOptions = {}) {
    const index = pageIndex({ ...newPlace(cleanups), ...options })
    const warnings: string[] = []
    const note = (event: EngineEvent): void => {
      if (event.kind === 'warning') warnings.push(event.message)
    }
    const engine = createEngine({
      ...{ allowPrivate: ['127.0.0.0/8'], search: index, observer: note },
      ...more,
      plugins: [index.plugin],
    })
    cleanups.push(() => engine.close())
    const scrape = async (pages: Readonly<Record<string, string>>, team?: string): Promise<void> => {
      for (const [path, body] of Object.entries(pages)) {
        bodies.set(path, body)
        await engine.scrape({ url: site.origin + path, formats: ['markdown', 'links'] }, { team })
      }
      await index.embedded(team ?? 'default')
    }
    const paths = async (query: string, team?: string): Promise<readonly string[]> =>
      ((await engine.search({ query }, { team })).web ?? []).map(({ url }) => url.replace(site.origin, ''))
    return { index, engine, warnings, scrape, paths }
  }

  const cars = {
    '/cars': page('Maintenance', 'An automobile needs new oil each year.'),
    '/bread': page('Baking', 'A loaf needs flour, water and salt.'),
  }

  describe('with a model, an index', () => {
    test('finds pages by their meaning, and without it by their words only', async () => {
      const hybrid = open({ embeddings: model().embeddings })
      await hybrid.scrape(cars)
      expect((await hybrid.paths('my vehicles'))[0]).toBe('/cars')
      const lexical = open()
      await lexical.scrape(cars)
      expect(await lexical.paths('my vehicles')).toEqual([])
      expect(await lexical.paths('automobile oil')).toEqual(['/cars'])
    })

    test('embeds a chunk once, whichever pages have it, and only new chunks of a changed page', async () => {
      const { embeddings, documents } = model()
      const { scrape } = open({ embeddings })
      const sections = (last: string): string =>
        `<title>Guide</title><main><h1>Guide</h1>${[1, 2, 3]
          .map((number) => `<h2>Part ${number}</h2>${paragraph(`Part ${number}.`).repeat(12)}`)
          .join('')}<h2>Last</h2>${paragraph(last).repeat(12)}</main>`
      await scrape({ '/guide': sections('The old end.'), '/copy': sections('The old end.') })
      const first = documents.length
      expect(first).toBeGreaterThan(3)
      expect(new Set(documents).size).toBe(first)
      await scrape({ '/guide': sections('The new end.') })
      expect(documents.length - first).toBeGreaterThan(0)
      expect(documents.slice(first).every((text) => text.includes('new end'))).toBe(true)
    })

    test('embeds all chunks again for another model', async () => {
      const place = newPlace(cleanups)
      const one = open({ ...place, embeddings: model().embeddings })
      await one.scrape(cars)
      await one.engine.close()
      const other = model('other')
      const { index, paths } = open({ ...place, embeddings: other.embeddings })
      await index.embedded('default')
      expect(other.documents).toHaveLength(2)
      expect((await paths('my vehicles'))[0]).toBe('/cars')
    })

    test.each([
      ['a search', (opened: ReturnType<typeof open>) => opened.paths('my vehicles')],
      ['a new page', (opened: ReturnType<typeof open>) => opened.scrape({ '/tea': page('Tea', 'Tea needs water.') })],
    ])('embeds all chunks again after %s if the model has other dimensions', async (_, discover) => {
      const place = newPlace(cleanups)
      const one = open({ ...place, embeddings: model().embeddings })
      await one.scrape(cars)
      await one.engine.close()
      const other = model()
      const half: Embeddings = {
        ...other.embeddings,
        embed: async (...given) => {
          const { vectors, usage } = await other.embeddings.embed(...given)
          return { vectors: vectors.map((vector) => vector.slice(0, vector.length / 2)), usage }
        },
      }
      const opened = open({ ...place, embeddings: half })
      await opened.index.embedded('default')
      expect(other.documents).toEqual([])
      await discover(opened)
      await opened.index.embedded('default')
      expect(other.documents.join('\n')).toMatch(/automobile[^]*flour|flour[^]*automobile/)
      expect((await opened.paths('my vehicles'))[0]).toBe('/cars')
    })

    test('finds pages by their words while the model fails, with a warning', async () => {
      const { embeddings, state } = model()
      const { scrape, paths, warnings } = open({ embeddings })
      state.isBroken = true
      await scrape(cars)
      expect(await paths('automobile oil')).toEqual(['/cars'])
      expect(warnings.join('\n')).toContain('The model is broken.')
    })

    test('embeds and charges the other chunks if the model rejects one', async () => {
      const { embeddings, documents, state } = model()
      const picky: Embeddings = {
        ...embeddings,
        embed: (texts, purpose, signal) =>
          texts.some((text) => text.includes('flour'))
            ? Promise.reject(new EngineError('model_failed', 'The model rejected the text.'))
            : embeddings.embed(texts, purpose, signal),
      }
      state.tokens = 12_000
      const { scrape, paths, warnings, index, engine } = open({ embeddings: picky })
      bodies.set('/tea', page('Tea', 'Tea needs hot water.'))
      for (const [path, body] of Object.entries(cars)) bodies.set(path, body)
      for (const path of ['/bread', '/cars', '/tea']) await engine.scrape({ url: site.origin + path })
      await index.embedded('default')
      expect(documents).toHaveLength(2)
      // Three pages, and the tokens of two chunks.
      expect((await engine.usage()).used).toBe(5)
      expect((await paths('my vehicles'))[0]).toBe('/cars')
      expect(warnings.join('\n')).toContain('The model rejected the text.')
      await scrape({ '/milk': page('Milk', 'Milk comes from a cow.') })
      expect(documents).toHaveLength(3)
      expect(warnings).toHaveLength(1)
    })

    test('does not return pages of another team, also if their vectors are nearest', async () => {
      const { scrape, paths, index } = open({ embeddings: model().embeddings })
      await scrape(cars, 'a')
      await scrape({ '/bread': cars['/bread'] }, 'b')
      expect(await paths('my vehicles', 'b')).toEqual(['/bread'])
      expect(await paths('my vehicles', 'c')).toEqual([])
      const found = await index.passages({ team: 'b', query: 'my vehicles', limit: 50 }, signal)
      expect(found.map(({ url }) => url)).toEqual([`${site.origin}/bread`])
    })

    test('does not return pages with an excluded word, or that a filter excludes', async () => {
      const { scrape, paths } = open({ embeddings: model().embeddings })
      await scrape(cars)
      expect(await paths('my vehicles -oil')).toEqual(['/bread'])
      expect(await paths('my vehicles path:/bread')).toEqual(['/bread'])
      expect(await paths('my vehicles site:other.example')).toEqual([])
    })

    test('does not return pages without the phrases of a query by their meaning', async () => {
      const { scrape, paths } = open({ embeddings: model().embeddings })
      await scrape(cars)
      expect(await paths('vehicles "needs flour"')).toEqual(['/bread'])
      expect(await paths('vehicles "flour needs"')).toEqual([])
    })

    test('does not embed more chunks than its limit', async () => {
      const { embeddings, documents } = model()
      const { scrape, paths } = open({ embeddings, vectors: 1 })
      await scrape(cars)
      expect(documents).toHaveLength(1)
      expect(await paths('flour')).toContain('/bread')
    })

    test('charges a credit for 10,000 embedded tokens', async () => {
      const { embeddings, state } = model()
      state.tokens = 12_000
      const { scrape, engine } = open({ embeddings })
      const used = async () => (await engine.usage()).used
      await scrape({ '/cars': cars['/cars'] })
      const first = await used()
      await scrape({ '/bread': cars['/bread'] })
      expect((await used()) - first).toBe(2)
    })
  })

  describe('a query', () => {
    test('filters by host, path, language and day', async () => {
      const { scrape, paths } = open()
      await scrape({
        '/docs/lamp': page('Lamp', 'A lamp of glass.'),
        '/blog/lamp': page('Lampe', 'Eine lamp aus Glas.', 'de-AT'),
      })
      expect(await paths('lamp path:/docs/')).toEqual(['/docs/lamp'])
      expect(await paths('lamp lang:de')).toEqual(['/blog/lamp'])
      expect((await paths('lamp site:127.0.0.1')).length).toBe(2)
      expect(await paths('lamp -site:127.0.0.1')).toEqual([])
      expect(await paths('lamp before:2020-01-01')).toEqual([])
      expect((await paths('lamp after:2020-01-01')).length).toBe(2)
    })

    test('without words lists the pages of its filters, the newest first', async () => {
      const { scrape, paths } = open()
      await scrape({ '/docs/one': page('One', 'A lamp.') })
      await scrape({ '/docs/two': page('Two', 'A rug.'), '/blog': page('Blog', 'A chair.') })
      expect((await paths('site:127.0.0.1 path:/docs')).toSorted()).toEqual(['/docs/one', '/docs/two'])
      expect(await paths('path:/docs -lamp')).toEqual(['/docs/two'])
      expect(await paths('-lamp')).toEqual([])
    })

    test('compares paths without their percent-encoding', async () => {
      const { scrape, paths } = open()
      await scrape({ '/%C3%BCber/uns': page('Us', 'A lamp.') })
      expect(await paths('lamp path:/über')).toEqual(['/%C3%BCber/uns'])
      expect(await paths('lamp path:/%c3%bcber')).toEqual(['/%C3%BCber/uns'])
    })

    test('has words where a filter is not valid', async () => {
      const { scrape, paths } = open()
      await scrape({ '/after': page('After', 'The word after:lunch is no filter.') })
      expect(await paths('after:lunch')).toEqual(['/after'])
    })
  })

  describe('a citation', () => {
    test('of a result is the range of its passage in the Markdown of the page, and opens the page there', async () => {
      const { scrape, engine } = open()
      const filler = paragraph('Nothing is here.').repeat(30)
      const body = `<title>Long</title><main><h1>Long</h1>${filler}<h2>Spiders</h2>${paragraph('An orb weaver spins silk.')}</main>`
      await scrape({ '/long': body })
      const { markdown } = await engine.scrape({ url: `${site.origin}/long`, formats: ['markdown'] })
      const [hit] = (await engine.search({ query: 'orb weaver silk' })).web ?? []
      const { start = 0, end = 0, link, hash } = hit?.citation ?? {}
      expect(markdown?.slice(start, end)).toContain('An orb weaver spins silk.')
      expect(markdown?.slice(start, end)).not.toBe(markdown)
      expect(link).toMatch(/\/long#:~:text=/)
      expect(hash).toBe(
        createHash('sha256')
          .update(markdown ?? '')
          .digest('hex'),
      )
    })
  })

  describe('passages', () => {
    test('are the chunks that match best, with the ids of the format chunks, and cost as a search', async () => {
      const { scrape, engine } = open()
      await scrape({ ...cars, '/oil': page('Oil', 'Olive oil is pressed from olives.') })
      const { passages, creditsUsed } = await engine.passages.search({ query: 'olive oil' })
      expect(passages[0]).toMatchObject({ url: `${site.origin}/oil`, title: 'Oil', headings: ['Oil'] })
      expect(passages[0]?.text).toContain('Olive oil is pressed')
      expect(creditsUsed).toBe(2)
    })

    test('are not of a page with an excluded word, also if the word is in another passage', async () => {
      const { scrape, engine } = open()
      const long = `<title>Guide</title><main><h2>Silk</h2>${paragraph('Silk is strong.').repeat(20)}<h2>Wasps</h2>${paragraph('A wasp hunts.').repeat(20)}</main>`
      await scrape({ '/guide': long })
      expect((await engine.passages.search({ query: 'silk' })).passages).not.toEqual([])
      expect((await engine.passages.search({ query: 'silk -wasp' })).passages).toEqual([])
    })

    test('fit into a token budget, and those that do not are listed', async () => {
      const { scrape, engine } = open()
      await scrape({ '/1': page('One', 'A lamp.'), '/2': page('Two', 'A lamp.'), '/3': page('Three', 'A lamp.') })
      const all = await engine.passages.search({ query: 'lamp' })
      const maxTokens = (all.passages[0]?.tokens ?? 0) + (all.passages[1]?.tokens ?? 0)
      const { passages, omitted } = await engine.passages.search({ query: 'lamp', maxTokens })
      expect(passages.map(({ url }) => url)).toEqual(all.passages.slice(0, 2).map(({ url }) => url))
      expect(omitted).toMatchObject([{ url: all.passages[2]?.url, tokens: all.passages[2]?.tokens }])
      expect(omitted?.[0]).not.toHaveProperty('text')
    })

    test('are found in languages without spaces', async () => {
      const { scrape, index } = open()
      await scrape({
        '/ja': page('蜘蛛', '蜘蛛は糸で巣を作ります。', 'ja'),
        '/th': page('แมงมุม', 'แมงมุมทอใยบนต้นไม้', 'th'),
      })
      const urls = async (query: string) =>
        (await index.passages({ team: 'default', query, limit: 5 }, signal)).map(({ url }) =>
          url.replace(site.origin, ''),
        )
      expect(await urls('蜘蛛の糸')).toEqual(['/ja'])
      expect(await urls('ใยบน')).toEqual(['/th'])
    })

    test('are not searched by a team without credits', async () => {
      const { scrape, engine } = open()
      await scrape(cars)
      await engine.ledger.grant({ team: 'default', credits: 1, id: 'x' })
      expect((await engineErrorOf(engine.passages.search({ query: 'oil' }))).code).toBe('insufficient_credits')
    })
  })
}
