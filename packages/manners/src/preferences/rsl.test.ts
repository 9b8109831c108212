import { describe, expect, test } from 'vitest'

import { readRsl, rslContentFor, rslStatements } from './rsl.ts'
import { summaryOf } from './statements.ts'
import { readTdmrep, tdmrepAbout } from './tdmrep.ts'

const where = 'https://a.example/license.xml'

function about(xml: string, path = '/'): unknown {
  const content = rslContentFor(readRsl(xml), where, new URL(path, where))
  return content && summaryOf(rslStatements(content, where), false)
}
const rsl = (inside: string): string =>
  `<?xml version="1.0"?>\n<rsl xmlns="https://rslstandard.org/rsl">${inside}</rsl>`
const site = (license: string): string => rsl(`<content url="/"><license>${license}</license></content>`)

describe('an RSL licence', () => {
  test.each<[string, string, unknown]>([
    [
      'that permits some uses',
      '<permits type="usage">search ai-index ai-input</permits><prohibits type="usage">ai-train</prohibits><payment type="attribution"/>',
      { search: true, 'ai-input': true, 'ai-train': false },
    ],
    [
      'that prohibits all AI',
      '<prohibits type="usage">ai-all</prohibits>',
      { search: true, 'ai-input': false, 'ai-train': false },
    ],
    [
      'that prohibits all',
      '<prohibits type="usage">all</prohibits>',
      { search: false, 'ai-input': false, 'ai-train': false },
    ],
    [
      'that permits all',
      '<permits type="usage">all</permits><payment type="free"/>',
      { search: true, 'ai-input': true, 'ai-train': true },
    ],
    [
      'that needs a payment',
      '<permits type="usage">ai-train</permits><payment type="purchase"><amount currency="USD">5</amount></payment>',
      { search: false, 'ai-input': false, 'ai-train': false },
    ],
    ['without terms', '', { search: true, 'ai-input': true, 'ai-train': true }],
    [
      'that permits an empty list',
      '<permits type="usage"></permits>',
      { search: false, 'ai-input': false, 'ai-train': false },
    ],
    [
      'with a list in a CDATA section',
      '<permits type="usage"><!-- only --><![CDATA[search]]></permits>',
      { search: true, 'ai-input': false, 'ai-train': false },
    ],
    [
      'with a list in another form',
      '<permits type="usage">search,ai-train</permits>',
      { search: true, 'ai-input': false, 'ai-train': true },
    ],
  ])('%s', (_, license, expected) => expect(about(site(license))).toEqual(expected))

  test('with conditions for users and countries names them', () => {
    const [content] = readRsl(site('<permits type="user">non-commercial</permits><permits type="geo">US CA</permits>'))
    expect(content?.licenses[0]?.conditions).toEqual(['permits user: non-commercial', 'permits geo: us ca'])
  })

  test('with long lists has the first 50 entries of each', () => {
    const many = Array.from({ length: 60 }, (_, index) => `use${index}`).join(' ')
    const terms = (name: string) =>
      `<${name} type="usage">${many}</${name}><${name} type="usage">${many}</${name}>`.concat(
        `<${name} type="user">a</${name}>`.repeat(60),
      )
    const [license] = readRsl(site(terms('permits') + terms('prohibits')))[0]!.licenses
    expect([license!.permits.length, license!.prohibits.length, license!.conditions.length]).toEqual([50, 50, 50])
  })

  test('names the payment in its statement', () => {
    const [content] = readRsl(site('<permits type="usage">ai-train</permits><payment type="purchase"/>'))
    const statement = rslStatements(content!, where).find(({ use }) => use === 'ai-train')
    expect(statement).toMatchObject({
      allowed: false,
      where,
      text: 'permits ai-train with a licence (payment: purchase)',
    })
  })

  test('is one of several to choose from', () => {
    const free = '<license><permits type="usage">search</permits><payment type="free"/></license>'
    const paid = '<license><permits type="usage">ai-train</permits><payment type="subscription"/></license>'
    expect(about(rsl(`<content url="/">${free}${paid}</content>`))).toEqual({
      ...{ search: true, 'ai-input': false, 'ai-train': false },
    })
  })
})

describe('the part of a site with the longest URL applies', () => {
  const xml =
    rsl(`<content url="https://a.example/*"><license><prohibits type="usage">ai-train</prohibits></license></content>
    <content url="/open/"><license><permits type="usage">all</permits></license></content>
    <content url="https://b.example/"><license><prohibits type="usage">all</prohibits></license></content>`)
  test.each([
    ['/page', { search: true, 'ai-input': true, 'ai-train': false }],
    ['/open/page', { search: true, 'ai-input': true, 'ai-train': true }],
    ['/%6Fpen/page', { search: true, 'ai-input': true, 'ai-train': true }],
  ])('%s', (path, expected) => expect(about(xml, path)).toEqual(expected))
})

describe('an RSL file', () => {
  const inside = '<content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content>'
  const expected = { search: true, 'ai-input': true, 'ai-train': false }
  test.each([
    [
      'with namespace prefixes',
      rsl(inside)
        .replaceAll(/<(\/?)(?=\w)/g, '<$1r:')
        .replace('<?r:xml', '<?xml'),
    ],
    ['with comments', rsl(`<!-- <content url="/"><license/></content> -->${inside}`)],
    ['with single quotes', rsl(inside).replaceAll('"', "'")],
    ['with ">" in an attribute', rsl(inside.replace('<license>', '<license title="a > b">'))],
    ['that ends early', rsl(inside).slice(0, -20)],
  ])('%s is read', (_, xml) => expect(about(xml)).toEqual(expected))

  test.each([
    ['an HTML page', '<!doctype html><content url="/"><license></license></content>'],
    ['nothing', ''],
    ['a tag without an end', '<rsl><content url="/'],
    ['an entity bomb', '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;&a;</x>'],
  ])('%s has no licences', (_, xml) => expect(about(xml)).toBeUndefined())

  test('that a stranger has made large is read in time proportional to its length', () => {
    for (const part of ['<', '<a ', '<a "', '<!--', '<rsl><content><license>', ' a="', "<a '>"])
      expect(readRsl(`<rsl>${part.repeat(500_000 / part.length)}`).length).toBeLessThanOrEqual(2_000)
  })
})

describe('tdmrep.json', () => {
  const file = 'https://a.example/.well-known/tdmrep.json'
  const tdm = (text: string, path: string) => tdmrepAbout(readTdmrep(text), file, new URL(path, file))
  const rules = JSON.stringify([
    { location: '/open/*', 'tdm-reservation': 0 },
    { location: '*.jpg$', 'tdm-reservation': 1, 'tdm-policy': '/policy.json' },
    { location: '/', 'tdm-reservation': 1 },
  ])

  test('has its first rule that matches applied', () => {
    expect(tdm(rules, '/open/a').statements).toMatchObject([{ use: 'tdm', allowed: true, where: file }])
    expect(tdm(rules, '/a.jpg')).toMatchObject({
      statements: [{ allowed: false }],
      policies: ['https://a.example/policy.json'],
    })
    expect(tdm(rules, '/page').statements).toMatchObject([{ allowed: false }])
    expect(tdm(rules, '/%6Fpen/a').statements).toMatchObject([{ allowed: true }])
  })

  test.each([
    '',
    'null',
    '{}',
    '[null, 1, {}, {"location": 5}]',
    '[{"location": "/", "tdm-reservation": "x"}]',
    '<html>',
  ])('%s states nothing', (text) => expect(tdm(text, '/').statements).toEqual([]))
})
