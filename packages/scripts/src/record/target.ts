// Builds the target of a step, which has several ways to find the element again.
import type { SeenElement } from '../page/seen.ts'
import type { Target } from '../script/schema.ts'
import { isOpen, insertPlaceholders } from '../script/template.ts'

type Recorded = SeenElement & Pick<Target, 'place'>
type Texts = Readonly<Record<string, string>>

/**
 * Returns the target of an element, with placeholders for `texts`, the values of parameters by name. If a parameter identifies
 * it, properties that distinguish this element from similar ones are omitted, because they would lead back to the recorded one.
 */
export function targetOf(element: Recorded, texts: Texts): Target {
  const target = boundTarget(element, texts) ?? plainTarget(element, texts)
  return Object.keys(element.frame).length > 0 ? { ...target, frame: element.frame } : target
}

/** Returns a target that is found by a parameter: in its name or an attribute, or next to it if its name is not unique. */
function boundTarget(element: Recorded, texts: Texts): Target | undefined {
  const { role, attributes, place } = element
  const name = insertPlaceholders(element.name, texts)
  const label = insertPlaceholders(element.label, texts)
  const { type, class: classes } = attributes
  const looks = { ...(type !== undefined && { type }), ...(classes !== undefined && { class: classes }) }
  if (isOpen(name) || isOpen(label)) return { role, name, ...(isOpen(label) && { label }), attributes: looks }
  const parameterized = parameterAttributes(attributes, texts)
  if (Object.keys(parameterized).length > 0) return { role, name, attributes: parameterized }
  // A unique name needs nothing else.
  if (place?.of === 1) return undefined
  const row = element.row.map((text) => insertPlaceholders(text, texts)).filter(isParameter)
  if (row.length > 0) return { role, name, row, attributes: looks }
  const [before, after] = [insertPlaceholders(element.before, texts), insertPlaceholders(element.after, texts)]
  if (!isParameter(before) && !isParameter(after)) return undefined
  return { role, name, ...(isParameter(before) && { before }), ...(isParameter(after) && { after }), attributes: looks }
}

function plainTarget(element: Recorded, texts: Texts): Target {
  const { role, name, attributes, path, place } = element
  const withoutParameters = (text: string): string => {
    const open = insertPlaceholders(text, texts)
    // Omitted, because it varies with the parameters.
    return isOpen(open) ? '' : open
  }
  const { before, after, alone } = element
  const words = Object.entries({ label: element.label, text: element.text, before, after, alone })
    .map(([way, text]) => [way, withoutParameters(text)] as const)
    .filter(([way, text]) => text !== '' && !(way === 'text' && text === name))
  const row = element.row.map(withoutParameters).filter((one) => one !== '')
  return {
    ...{ role, name: insertPlaceholders(name, {}), attributes, path, ...Object.fromEntries(words) },
    ...(row.length > 0 && { row }),
    ...(place && { place }),
  }
}

/** Returns whether a string is a single parameter and nothing else. */
const isParameter = (text: string): boolean => /^\{\{[\w-]+\}\}:?$/.test(text)

/** Returns attributes whose full value is a parameter, such as a URL or id. */
function parameterAttributes(attributes: SeenElement['attributes'], texts: Texts): Readonly<Record<string, string>> {
  const names = new Map(Object.entries(texts).map(([name, text]) => [text, name]))
  const found = Object.entries(attributes).flatMap(([attribute, value]) => {
    const name = /^(?:class|type|name|autocomplete)$/.test(attribute) ? undefined : names.get(value)
    return name === undefined ? [] : [[attribute, `{{${name}}}`]]
  })
  return Object.fromEntries(found)
}
