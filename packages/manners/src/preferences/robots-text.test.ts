import { describe, expect, test } from 'vitest'

import { readRobotsStatements } from './robots-text.ts'
import { summaryOf } from './statements.ts'

const where = 'https://a.example/robots.txt'
const about = (text: string, path = '/', bot = 'Gatherer') =>
  summaryOf(readRobotsStatements(text, where, bot).about(new URL(path, where)), false)

// As Cloudflare adds it to the robots.txt of its customers, with the comments shortened.
const managed = `# As a condition of accessing this website, you agree to abide by the following
# content signals:

# (a)  If a Content-Signal = yes, you may collect content for the corresponding use.
# (b)  If a Content-Signal = no, you may not collect content for the corresponding use.
# search: building a search index and providing search results
# ai-input: inputting content into one or more AI models
# ai-train: training or fine-tuning AI models.

# ANY RESTRICTIONS EXPRESSED VIA CONTENT SIGNALS ARE EXPRESS RESERVATIONS OF
# RIGHTS UNDER ARTICLE 4 OF THE EUROPEAN UNION DIRECTIVE 2019/790.

# BEGIN Cloudflare Managed content

User-agent: *
Content-Signal: search=yes,ai-train=no
Allow: /

User-agent: Amazonbot
Disallow: /

User-agent: GPTBot
Disallow: /

# END Cloudflare Managed Content

User-Agent: *
Disallow: /admin/

Sitemap: https://a.example/sitemap.xml
`

test('the robots.txt that Cloudflare manages is read, between its comments', () => {
  expect(about(managed)).toEqual({ search: true, 'ai-train': false })
  const [statement] = readRobotsStatements(managed, where, 'Gatherer').about(new URL(where))
  expect(statement).toMatchObject({ where, text: 'Content-Signal: search=yes,ai-train=no', signal: 'content-signal' })
})

test('a group for the bot by name replaces that for all', () => {
  const text = `User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: gatherer\nUser-agent: Other/2.0\nContent-Signal: ai-train=yes\n`
  expect(about(text)).toEqual({ 'ai-train': true })
  expect(about(text, '/', 'Other')).toEqual({ 'ai-train': true })
  expect(about(text, '/', 'Third')).toEqual({ 'ai-train': false })
})

test('several groups for one bot are one', () => {
  const text = `User-agent: *\nContent-Signal: search=yes\nUser-agent: x\nAllow: /\nUser-agent: *\nContent-Signal: ai-train=no`
  expect(about(text)).toEqual({ search: true, 'ai-train': false })
})

test('a statement before the first group applies to every bot', () => {
  expect(about(`Content-Usage: train-ai=n\nUser-agent: Gatherer\nAllow: /`)).toEqual({ 'ai-train': false })
})

describe('of statements with a path, the longest that matches applies', () => {
  const text = `User-agent: *
Content-Usage: train-ai=n
Content-Usage: /open/ train-ai=y
Content-Usage: /open/*.pdf$ train-ai=n
Content-Signal: /open/ search=yes`
  test.each([
    ['/', { 'ai-train': false }],
    ['/open', { 'ai-train': false }],
    ['/open/page', { 'ai-train': true, search: true }],
    ['/open/a.pdf', { 'ai-train': false, search: true }],
    ['/open/a.pdf?x', { 'ai-train': true, search: true }],
  ])('%s', (path, expected) => expect(about(text, path)).toEqual(expected))
})

describe('a path matches whatever its percent-encoding', () => {
  test.each([
    ['/caf\u00e9/', '/caf%C3%A9/page'],
    ['/caf%c3%a9/', '/caf\u00e9/page'],
    ['/%7Euser/', '/~user/page'],
  ])('%s, %s', (pattern, path) =>
    expect(about(`User-agent: *\nContent-Usage: ${pattern} train-ai=n`, path)).toEqual({ 'ai-train': false }),
  )
})

test('licences are read wherever they are, as absolute URLs', () => {
  const text = `License: https://a.example/rsl.xml\nUser-agent: *\nAllow: /\n\nlicense: /other.xml # ours\nLicense: http://[\n`
  expect(readRobotsStatements(text, where, 'x').licenses).toEqual([
    'https://a.example/rsl.xml',
    'https://a.example/other.xml',
  ])
})

test.each([
  ['Windows line ends and a byte order mark', '\uFEFFUser-agent: *\r\nContent-Signal: ai-train=no\r\n'],
  ['old Mac line ends', 'User-agent: *\rContent-Signal: ai-train=no\r'],
  ['spaces and another case', '  USER-AGENT :  * \n CONTENT-SIGNAL :ai-train = no\n content-signal: ai-train=no'],
])('a file with %s is read', (_, text) => expect(about(text)).toEqual({ 'ai-train': false }))

test.each([
  ['an HTML page', '<!doctype html><title>Not found</title>'],
  ['nothing', ''],
  ['a signal for others', 'User-agent: x\nContent-Signal: ai-train=no'],
  ['a signal for others, whose key lacks a hyphen,', 'useragent: x\nContent-Signal: ai-train=no'],
  ['a signal for others, whose key has a space,', 'User agent: x\nContent-Signal: ai-train=no'],
  ['a signal without a value', 'User-agent: *\nContent-Signal:'],
])('%s states nothing', (_, text) => expect(about(text)).toEqual({}))

test('a file with endless wildcards and lines is read within its limits', () => {
  const wild = `User-agent: *\n${`Content-Usage: /${'*a'.repeat(900)} train-ai=n\n`.repeat(250)}`
  expect(about(wild, `/${'a'.repeat(5_000)}b`)).toEqual({})
  const many = `User-agent: *\n${'Content-Usage: /a*a*a*a*a*b train-ai=n\n'.repeat(12_000)}`
  expect(about(many, `/${'a'.repeat(5_000)}`)).toEqual({})
})
