import { expect, test } from 'vitest'

import { nameReader } from './names.ts'

function reader(names: readonly string[]) {
  return nameReader(
    names.map((name) => [name, `known ${name}`]),
    (name) => `new ${name}`,
  )
}

test('a name is what it is known to mean, in any case and whatever stands around it', () => {
  const read = reader(['a', 'href', 'h1', 'class'])
  for (const name of ['a', 'href', 'HREF', 'h1', 'Class']) {
    expect(read(`<${name} href`, 1, 1 + name.length)).toBe(`known ${name.toLowerCase()}`)
  }
})

test('others are made, in lower case', () => {
  const read = reader(['a', 'href', 'h1', 'class'])
  for (const name of ['b', 'hrefs', 'hre', 'H2', 'hxef', 'ÜBER', 'x'.repeat(100)]) {
    expect(read(`<${name} href`, 1, 1 + name.length)).toBe(`new ${name.toLowerCase()}`)
  }
})

test('names that share a slot are all known', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `n${index}`)
  const read = reader(many)
  for (const name of many) expect(read(name, 0, name.length)).toBe(`known ${name}`)
})
