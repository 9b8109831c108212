import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { factNames, factsOf, readHead, readLinkedData, type LinkedData } from './page-facts.ts'
import { hashWord } from './text-scan.ts'

const headOf = (head: string) => readHead(parseHtml(`<html lang="de-AT"><head>${head}</head><body></body></html>`).root)
const dataOf = (...scripts: string[]): LinkedData =>
  readLinkedData(
    headOf(scripts.map((json) => `<script type="application/ld+json">${json}</script>`).join('')).dataScripts,
  )

describe('what a page says of itself', () => {
  test('title words, description, type, generator and language are read from the head', () => {
    const head = headOf(
      '<title>A Tale</title><meta property="og:title" content="Two Cities"><meta name=description content=" d ">' +
        '<meta property="og:type" content="Article"><meta name=Generator content="WordPress 6">',
    )
    expect(head.title).toEqual(new Set(['a', 'tale', 'two', 'cities'].map(hashWord)))
    expect(head).toMatchObject({ description: 'd', ogType: 'article', generator: 'wordpress 6', language: 'de' })
  })

  test('JSON-LD gives types, the body of articles and posts, the description of products, and reviews', () => {
    const data = dataOf(
      '{"@graph":[{"@type":["NewsArticle"],"articleBody":"The body."},{"@type":"WebPage","text":"not this"}]}',
      '[{"@type":"Product","description":"A good thing.","review":{"@type":"Review","reviewBody":"Liked it."}}]',
    )
    expect([...data.types].sort()).toEqual(['NewsArticle', 'Product', 'Review', 'WebPage'])
    expect(data.body).toBe('The body.')
    expect(data.reviews).toBe('Liked it.')
    expect(data.description).toBe('A good thing.')
  })

  test('a question page gives the question and its answers in order', () => {
    const json =
      '{"@type":"QAPage","mainEntity":{"@type":"Question","text":"Why?","acceptedAnswer":{"@type":"Answer","text":"So."}}}'
    expect(dataOf(json).body).toBe('Why?\n\nSo.')
  })

  test('broken, deep and strange JSON-LD says nothing, and stops nothing', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    expect(
      dataOf('{"@type":', 'null', '3', '{"@type":{"a":1}}', deep, '{"@type":"Article","articleBody":"ok"}').body,
    ).toBe('ok')
  })

  test('facts have one number for each name, and see the shape of the address', () => {
    const facts = factsOf(headOf(''), dataOf(), 'https://example.com/blog/2024/some-good-post?x=1')
    expect(facts).toHaveLength(factNames.length)
    const fact = (name: string): number | undefined => facts[factNames.indexOf(name)]
    expect(fact('pathParts')).toBe(3)
    expect(fact('lastPartDashes')).toBe(2)
    expect(fact('query')).toBe(1)
    expect(fact('path 0')).toBe(1)
    expect(fact('path 1')).toBe(0)
    expect(factsOf(headOf(''), dataOf(), 'not an address')).toHaveLength(factNames.length)
  })
})
