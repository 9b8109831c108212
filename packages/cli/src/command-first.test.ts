import { expect, test } from 'vitest'

import { withCommandFirst } from './command-first.ts'

test.each([
  [[], ['serve']],
  [
    ['--config', 'a.json'],
    ['serve', '--config', 'a.json'],
  ],
  [
    ['--config=a.json', 'scrape', 'https://a.example'],
    ['scrape', 'https://a.example', '--config=a.json'],
  ],
  [
    ['--config', 'a.json', 'replay', 'b.warc.gz', '--', 'map'],
    ['replay', 'b.warc.gz', '--config', 'a.json', '--', 'map'],
  ],
  [
    ['scrape', 'https://a.example', '--', 'b'],
    ['scrape', 'https://a.example', '--', 'b'],
  ],
])('the command of %j is its first argument', (args, expected) => {
  expect(withCommandFirst(args)).toEqual(expected)
})
