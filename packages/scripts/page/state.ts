import type { AnyElement } from '../../ports/page/elements.ts'
import type { ElementState } from '../src/page/seen.ts'
import { clean, isField } from './elements.ts'

const buttons = /^(?:button|submit|reset|image)$/

/** Returns the state of an element that an action may change. For password fields, only whether there is a value. */
export function stateOf(element: AnyElement): ElementState {
  const state = ownState(element)
  for (const name of ['checked', 'selected', 'expanded', 'pressed'] as const) {
    const value = element.getAttribute(`aria-${name}`)
    if (value === 'true' || value === 'false') state[name] ??= value === 'true'
  }
  const parent: AnyElement | null = element.parentElement
  if (element.localName === 'summary' && parent?.localName === 'details') state.expanded = parent.open
  return state
}

function ownState(element: AnyElement): ElementState {
  const { type = '', value = '' } = element
  if (element.localName === 'select') {
    const chosen = [...(element.selectedOptions ?? [])].map((option) => clean(option.label))
    return { value: element.multiple ? JSON.stringify(chosen.slice(0, 100)) : (chosen[0] ?? '') }
  }
  if (type === 'checkbox' || type === 'radio') return { checked: element.checked }
  if (type === 'password') return { filled: value !== '' }
  if (isField(element) && type !== 'file' && !buttons.test(type)) return { value: value.slice(0, 10_000) }
  if (element.isContentEditable) return { value: (element.innerText ?? '').trim().slice(0, 10_000) }
  return {}
}
