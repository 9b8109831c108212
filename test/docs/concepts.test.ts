// The tables of docs/concepts.md, held against the code.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${root}docs/concepts.md`, 'utf8')

/** The names in the first column of the table below a heading. */
function namesBelow(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}

test.each(['core', 'http'])('each room of %s has a row, and each row a room', (name) => {
  const found = readdirSync(`${root}packages/${name}/src`, { withFileTypes: true }).filter((one) => one.isDirectory())
  const rooms = found.map((one) => one.name).filter((room) => room !== 'fixtures')
  expect(namesBelow(`Modules of ${name}`).toSorted()).toEqual(rooms.toSorted())
})

test('each port of the table is one', () => {
  const ports = readFileSync(`${root}packages/ports/src/index.ts`, 'utf8')
  const names = namesBelow('The ports')
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(ports))).toEqual([])
})
