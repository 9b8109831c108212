import { html, numberOf, type Route, type Visit } from './route.ts'
import { gather, megabyte, repeat, stream } from './stream.ts'

const kilobyte = Buffer.from('harvestman '.repeat(93).padEnd(1024, '.'))
const chunk = Buffer.concat(Array.from({ length: 64 }, () => kilobyte))

const htmlOf = (visit: Visit, texts: Iterable<string>) => stream(visit, { 'content-type': html }, gather(texts))

function* around(inside: Iterable<string>): Generator<string> {
  yield '<!doctype html><html lang="en"><head><title>A huge page</title></head><body><p>It begins.</p>'
  yield* inside
  yield '<p>It ends.</p></body></html>'
}

function* times(count: number, text: (index: number) => string): Generator<string> {
  for (let index = 0; index < count; index += 1) yield text(index)
}

const paragraph = `<p>${'A harvestman has eight legs and one body. '.repeat(20)}</p>`

export const hugeRoutes: readonly Route[] = [
  {
    path: '/huge/body',
    about: 'a text of `mb` (200) megabytes, with its length',
    handle: (visit) => {
      const bytes = numberOf(visit, 'mb', 200) * megabyte
      return stream(visit, { 'content-type': 'text/plain', 'content-length': bytes }, repeat(chunk, bytes))
    },
  },
  {
    path: '/huge/endless',
    about: 'a text without a length, which never ends',
    handle: (visit) => stream(visit, { 'content-type': 'text/plain' }, repeat(chunk, Infinity)),
  },
  {
    path: '/huge/html',
    about: 'a page of `mb` (12) megabytes of paragraphs',
    handle: (visit) => {
      const count = Math.ceil((numberOf(visit, 'mb', 12) * megabyte) / paragraph.length)
      return htmlOf(visit, around(times(count, () => paragraph)))
    },
  },
  {
    path: '/huge/deep',
    about: 'a page of `count` (200000) elements in one another, by their `name` (div)',
    handle: (visit) => {
      const name = visit.url.searchParams.get('name') ?? 'div'
      return htmlOf(visit, around(times(numberOf(visit, 'count', 200_000), () => `<${name}>`)))
    },
  },
  {
    path: '/huge/wide',
    about: 'a page of `count` (100000) elements side by side',
    handle: (visit) =>
      htmlOf(visit, around(times(numberOf(visit, 'count', 100_000), (index) => `<p>Paragraph ${index}</p>`))),
  },
  {
    path: '/huge/less-than',
    about: 'a page of `count` (1000000) times the sign `<`',
    handle: (visit) => htmlOf(visit, around(times(numberOf(visit, 'count', 1_000_000), () => '<'))),
  },
  {
    path: '/huge/blanks',
    about: 'a page of `count` (1000000) tabs and line ends before a letter',
    handle: (visit) => htmlOf(visit, around(times(numberOf(visit, 'count', 1_000_000), (index) => '\t\n'[index % 2]!))),
  },
  {
    path: '/huge/attribute',
    about: 'an element with one attribute of `mb` (10) megabytes',
    handle: (visit) => {
      const count = Math.ceil((numberOf(visit, 'mb', 10) * megabyte) / 1000)
      return htmlOf(visit, around(['<p title="', ...times(count, () => 'x'.repeat(1000)), '">attribute</p>']))
    },
  },
  {
    path: '/huge/attributes',
    about: 'an element with `count` (1000000) attributes',
    handle: (visit) =>
      htmlOf(
        visit,
        around(['<p ', ...times(numberOf(visit, 'count', 1_000_000), (index) => `a${index}=1 `), '>x</p>']),
      ),
  },
  {
    path: '/huge/table',
    about: 'a table of `count` (20000) rows',
    handle: (visit) => {
      const rows = times(numberOf(visit, 'count', 20_000), (index) => `<tr><td>${index}<td>${index * 2}</tr>`)
      return htmlOf(visit, around(['<table><tr><th>One<th>Two</tr>', ...rows, '</table>']))
    },
  },
]
