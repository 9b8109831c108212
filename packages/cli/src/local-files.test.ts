import { expect, test } from 'vitest'

import { checkNoPath } from './local-files.ts'

test.each([
  'nope.html',
  './nope',
  '../nope.pdf',
  '/tmp/none',
  '~/page.html',
  'pages/report.pdf',
  'C:\\page.html',
  'a.b.html',
])('%s is a path, so that its absence is reported as such', (target) => {
  expect(() => checkNoPath(target)).toThrow(
    `The file ${target} does not exist. Check its path. A URL starts with https://.`,
  )
})

test.each([
  'example.com',
  'example.com/report.pdf',
  'localhost:8080',
  'readme.md',
  '//example.com/a.html',
  'nope',
  'localhost/a',
])('%s may be a URL', (target) => {
  expect(() => checkNoPath(target)).not.toThrow()
})
