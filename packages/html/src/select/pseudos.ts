import type { Element } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

/** Pseudo-classes defined by other selectors. */
export const aliases: Readonly<Record<string, string>> = {
  'any-link': ':is(a, area, link)[href]',
  link: ':is(a, area, link)[href]',
  disabled:
    ':is(button, input, select, textarea, optgroup, option)[disabled], optgroup[disabled] > option, ' +
    'fieldset[disabled]:not(fieldset[disabled] legend:first-of-type *)',
  enabled: ':is(button, input, select, textarea, optgroup, option, fieldset):not(:disabled)',
  checked: ':is(input[type=radio], input[type=checkbox])[checked], :selected',
  selected: 'option:is([selected], select:not([multiple]):not(:has(> option[selected])) > :first-of-type)',
  required: ':is(input, select, textarea)[required]',
  optional: ':is(input, select, textarea):not([required])',
  'read-only': 'textarea[readonly], :text-control[readonly]',
  'read-write': 'textarea:not([readonly]), :text-control:not([readonly])',
  'text-control':
    'input:is([type=text], [type=search], [type=url], [type=tel], [type=email], [type=password], [type=date], [type=month], ' +
    '[type=week], [type=time], [type=datetime-local], [type=number])',
  // jQuery extensions.
  header: 'h1, h2, h3, h4, h5, h6',
  parent: ':not(:empty)',
  button: 'button, input[type=button]',
  input: 'input, textarea, select, button',
  text: 'input:not([type]), input[type=""], input[type=text]',
  checkbox: '[type=checkbox]',
  file: '[type=file]',
  image: '[type=image]',
  password: '[type=password]',
  radio: '[type=radio]',
  reset: '[type=reset]',
  submit: '[type=submit]',
}

export interface PseudoContext {
  /** The element on which `:has()` is evaluated. */
  readonly scope: Element | undefined
  readonly step: () => void
}

type Pseudo = (element: Element, argument: string, context: PseudoContext) => boolean

const isRoot = (element: Element): boolean => element.parent === null || element.parent.name === '#document'
const never = (): boolean => false

export const plainPseudos: Readonly<Record<string, Pseudo>> = {
  root: isRoot,
  scope: (element, _, { scope }) => (scope ? element === scope : isRoot(element)),
  empty: (element, _, { step }) => isEmpty(element, step),
  // Not possible in a static page.
  hover: never,
  active: never,
  visited: never,
}

export const pseudosWithText: Readonly<Record<string, Pseudo>> = {
  contains: (element, text, { step }) => textWithin(element, step).includes(text),
  icontains: (element, text, { step }) => textWithin(element, step).toLowerCase().includes(text.toLowerCase()),
  lang: (element, ranges, { step }) => speaks(languageOf(element, step), ranges),
}

function isEmpty(element: Element, step: () => void): boolean {
  for (let at = element.first; at; at = at.next) {
    step()
    if (at.type === 'element' || /[^\t\n\r ]/.test(at.text)) return false
  }
  return true
}

function textWithin(element: Element, step: () => void): string {
  const texts: string[] = []
  for (let at = nextNode(element, element); at; at = nextNode(at, element)) {
    step()
    if (at.type === 'text') texts.push(at.text)
  }
  return texts.join('')
}

function languageOf(element: Element, step: () => void): string {
  for (let at: Element | null = element; at; at = at.parent) {
    step()
    const language = at.attributes['xml:lang'] ?? at.attributes['lang']
    if (language !== undefined) return language.toLowerCase()
  }
  return ''
}

/** Returns whether a language matches one of the ranges, as in RFC 4647: `*-CH` and `de` both match `de-Latn-CH`. */
function speaks(language: string, ranges: string): boolean {
  return ranges.split(',').some((written) => {
    const range = written
      .trim()
      .replaceAll(/^["']|["']$/g, '')
      .toLowerCase()
      .split('-')
    const tags = language.split('-')
    if (range[0] !== tags[0] && (range[0] !== '*' || language === '')) return false
    let at = 1
    for (const part of range.slice(1)) {
      if (part === '*') continue
      while (at < tags.length && tags[at] !== part) if (tags[at++]!.length <= 1) return false
      if (at++ >= tags.length) return false
    }
    return true
  })
}
