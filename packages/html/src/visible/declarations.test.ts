import { describe, expect, test } from 'vitest'

import { readDeclarations } from './declarations.ts'

test('declarations are read in lower case, without those that do not affect visibility', () => {
  const block = '; COLOR : Red!important;bad;margin-inline:1px;--A:b:c;background:url("a;b:c");&:hover{top:0}left:0'
  expect(readDeclarations(block)).toEqual([
    { name: 'color', value: 'red', isImportant: true },
    { name: '--a', value: 'b:c', isImportant: false },
    { name: 'background', value: 'url("a;b:c")', isImportant: false },
    { name: 'left', value: '0', isImportant: false },
  ])
})

// Minutes in quadratic time.
describe('a block is read in linear time', () => {
  test.each([
    ['empty declarations', ';'.repeat(4_000_000)],
    // These characters contain the byte of a colon.
    ['declarations without a colon', ';\u3A3B'.repeat(400_000)],
  ])('%s', (_, filler) => {
    expect(readDeclarations(`display:none${filler};top:0`).map(({ name }) => name)).toEqual(['display', 'top'])
  })
})
