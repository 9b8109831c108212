import { expect, test } from 'vitest'

import { toAscii } from './ascii.ts'

const evaluate = async (code: string): Promise<unknown> =>
  ((await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as { default: unknown })
    .default

test.each([
  ['strings', String.raw`'é \… \\… 😀\u00e9'`],
  ['templates', '`“${1 + 1}” \\…`'],
  ['raw templates', 'String.raw`\\d–${`é${String.raw`ü\\n`}`}\\\\😀\\s`'],
  ['regular expressions', String.raw`'a–é😀 '.replace(/[–-—é]|😀/gu, '$&$&') + /(?<größe>\–)/.exec('–').groups.größe`],
  ['names', 'Object.keys({ größe: 1, 名: 2 }).join()'],
])('%s have the same value in ASCII', async (_, expression) => {
  const code = `// “Comment”\nexport default ${expression}`
  const ascii = toAscii(code)
  expect(ascii).toMatch(/^[\0-\x7F]*$/)
  expect(await evaluate(ascii)).toEqual(await evaluate(code))
})

test('a module in ASCII is unchanged', () => {
  const code = String.raw`export default '\u00e9'`
  expect(toAscii(code)).toBe(code)
})

test('a raw template with an escaped character is refused', () => {
  expect(() => toAscii('export default String.raw`\\–`')).toThrow('Remove the backslash')
})
