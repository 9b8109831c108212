import { expect, test } from 'vitest'

import { readHtml } from './read.ts'

const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }

test('links come from the whole page, each once, under the first name that says something', () => {
  const html = `<base href="https://a.example/d/"><header><a href="/"><img src="logo.png" alt="Home"></a></header>
    <main><a href="x">  One <b>thing</b>
    </a><a href="y"></a><a href="y" title="Why">  </a><a href="y">Later</a><a href="#top">Top</a>
    <a href="mailto:a@a.example">Mail</a><iframe src="/frame" title="Inside"></iframe>
    <map><area href="/part" alt="Part"></map><a href="z" aria-label="Zed"><svg></svg></a></main>`
  const { values } = readHtml({ html, url: 'https://a.example/' }, scope, [{ name: 'anchors' }])
  expect(values['anchors']).toEqual([
    { url: 'https://a.example/', text: 'Home' },
    { url: 'https://a.example/d/x', text: 'One thing' },
    { url: 'https://a.example/d/y', text: 'Why' },
    { url: 'https://a.example/frame', text: 'Inside' },
    { url: 'https://a.example/part', text: 'Part' },
    { url: 'https://a.example/d/z', text: 'Zed' },
  ])
})
