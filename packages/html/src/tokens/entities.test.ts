import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { expect, test } from 'vitest'
import { decode, type Place } from './entities.ts'
import { namedReferences } from './named-references.ts'

test.each([
  ['no sign at all', 'no sign at all'],
  ['a &amp; b &lt;c&gt; &quot;d&quot;', 'a & b <c> "d"'],
  ['&nbsp;&mdash;&rsquo;', '\u00A0—’'],
  ['&#65;&#x42;&#X43', 'ABC'],
  ['&#128;&#0;&#x110000;&#xD800;', '€���'],
  ['&notin; &not; &notit;', '∉ ¬ ¬it;'],
  ['&copy &copyx &ampx', '© ©x &x'],
  ['&nope; &; & && &#; &#x;', '&nope; &; & && &#; &#x;'],
  ['&NotEqualTilde;', '\u2242\u0338'],
  ['&amp=1', '&=1'],
])('the text %j reads %j', (text, expected) => {
  expect(decode(text, 'text')).toBe(expected)
})

test.each([
  ['?a=1&copy=2&amp;b=3', '?a=1&copy=2&b=3'],
  ['?a&copyx', '?a&copyx'],
  ['a&copy', 'a©'],
  ['&copy;=1', '©=1'],
  ['&lt;b&gt;', '<b>'],
  ['&times=3&times;', '&times=3×'],
])('in the value %j only a whole reference counts: %j', (value, expected) => {
  expect(decode(value, 'value')).toBe(expected)
})

const unheard = (): undefined => undefined

/** What htmlparser2 reads. */
function peer(written: string, place: Place): string {
  const source = place === 'value' ? `<a b="${written}">` : written
  let decoded = ''
  const add = (start: number, end: number): void => {
    decoded += source.slice(start, end)
  }
  const addCodePoint = (codePoint: number): void => {
    decoded += String.fromCodePoint(codePoint)
  }
  const silent = new Proxy({}, { get: () => unheard }) as TokenizerCallbacks
  const heard =
    place === 'text' ? { ontext: add, ontextentity: addCodePoint } : { onattribdata: add, onattribentity: addCodePoint }
  const callbacks = new Proxy(silent, { get: (_, name) => Reflect.get(heard, name) ?? unheard })
  const tokenizer = new Tokenizer({}, callbacks)
  tokenizer.write(source)
  tokenizer.end()
  return decoded
}

const names = namedReferences.split(',').flatMap((entry) => entry.replaceAll('!', '').split(' ').slice(1))

test.each<Place>(['text', 'value'])(
  'every name of the standard reads as another parser reads it in a %s',
  { tags: ['long'] },
  (place) => {
    expect(names).toHaveLength(2_125)
    for (const name of names) {
      for (const end of [';', '', ' ', '=', ';=', 'x', '1;', ';x']) {
        const written = `a&${name}${end}b`
        expect([written, decode(written, place)]).toEqual([written, peer(written, place)])
      }
    }
  },
)

test('every number reads as another parser reads it', () => {
  for (let code = 0; code < 0x3000; code += 1) {
    expect(decode(`&#${code};&#x${code.toString(16)};`, 'text')).toBe(
      peer(`&#${code};&#x${code.toString(16)};`, 'text'),
    )
  }
})
