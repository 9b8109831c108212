import { expect, test } from 'vitest'

import { cancelCommand, goOnCommand } from './go-on.ts'

test('going on says again where pages go and where the job is, and nothing that is kept with it', () => {
  const flags = { limit: '5', out: 'my pages', report: 'r.html', json: true, fail: false, store: 'sqlite:a.sqlite' }
  expect(goOnCommand('crawl', 'id', flags)).toBe(
    "harvestman crawl --resume id --json --out 'my pages' --report r.html --store sqlite:a.sqlite",
  )
  expect(goOnCommand('crawl', 'id', {})).toBe('harvestman crawl --resume id')
})

test('a name with a quote in it is one word for the shell', () => {
  expect(goOnCommand('batch', 'id', { output: "it's.jsonl" })).toBe(
    String.raw`harvestman batch --resume id --output 'it'\''s.jsonl'`,
  )
})

test('ending it needs only where it is', () => {
  expect(cancelCommand('id', { out: 'pages', config: 'own.jsonc' })).toBe('harvestman cancel id --config own.jsonc')
})
