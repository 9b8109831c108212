import { expect, test } from 'vitest'

import { feedLinks } from './feeds.ts'

const base = new URL('https://a.example/blog/')

test('the feeds of a site are those that its first page links to', () => {
  const html = `<head><link rel="alternate" type="application/rss+xml" href="rss.xml?a=1&amp;b=2">
    <LINK href='/atom' type='application/atom+xml' rel='alternate home'><link rel=alternate type=application/feed+json href=/feed.json>
    <link rel="alternate" hreflang="de" href="/de"><link rel="stylesheet" type="application/rss+xml" href="/no">
    <link rel="alternate" type="application/rss+xml" href="http://[">`
  expect(feedLinks(html, base)).toEqual([
    'https://a.example/blog/rss.xml?a=1&b=2',
    'https://a.example/atom',
    'https://a.example/feed.json',
  ])
})

test('of many feeds the first few are read', () => {
  const links = Array.from({ length: 50 }, (_, at) => `<link rel="alternate" type="application/rss+xml" href="/${at}">`)
  expect(feedLinks(links.join(''), base)).toHaveLength(5)
})
