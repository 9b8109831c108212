// What looks at a page from within, in a world of its own: the page neither sees nor changes it. It only gathers; what
// fits a step is decided outside, over what it gives.

import { frameSource } from './eye-frames.ts'
import { handSource } from './eye-hands.ts'

/** Bounds of what is looked at. Beyond the first the page is too large for a script. */
export const pageBounds = { nodes: 50_000, elements: 3_000, text: 120, signs: 60 } as const

/** The name of the world. */
export const eyesWorld = 'harvestman-scripts'

/** Defines `eyes` in the world of its own, once for each document. */
export const eyesSource = /* js */ `(() => {
if (globalThis.eyes) return
const most = ${JSON.stringify(pageBounds)}
const clean = (text) => String(text ?? '').replace(/\\s+/g, ' ').trim().slice(0, most.text)
const inputRoles = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox' }
const tagRoles = { a: 'link', button: 'button', textarea: 'textbox', summary: 'button', option: 'option' }
const roleOf = (element) => {
  const said = element.getAttribute('role')
  if (said && said !== 'none' && said !== 'presentation') return said.split(' ')[0]
  const tag = element.localName
  if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox'
  if (tag === 'input') return inputRoles[element.type] ?? 'textbox'
  if (element.isContentEditable && !element.parentElement?.isContentEditable) return 'textbox'
  return tagRoles[tag] ?? 'generic'
}
const fields = 'input:not([type=hidden]), select, textarea'
const actable = fields + ', a, button, summary, [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=option], [role=treeitem], [role=textbox], [role=searchbox], [role=combobox], [role=slider], [role=spinbutton], [contenteditable=""], [contenteditable=true]'
const isField = (element) => element.matches(fields)
${frameSource}
const isVisible = (element) => {
  if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true })) return false
  const { width, height } = element.getBoundingClientRect()
  const frame = frameOf(element)
  return width > 0 && height > 0 && (!frame || isVisible(frame))
}
const ownText = (element) => clean([...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(' '))
const textOf = (element) => clean(element.innerText ?? element.textContent)
const rootOf = (element) => element.getRootNode()
const labelOf = (element) => {
  const texts = [...(element.labels ?? [])].map((label) => {
    const copy = label.cloneNode(true)
    for (const inner of copy.querySelectorAll(fields + ', button')) inner.remove()
    return clean(copy.textContent)
  })
  return clean(texts.join(' '))
}
const nameOf = (element) => {
  const by = element.getAttribute('aria-labelledby')
  if (by) {
    const said = clean(by.split(/\\s+/).slice(0, 5).map((id) => rootOf(element).getElementById?.(id)?.textContent ?? '').join(' '))
    if (said) return said
  }
  const said = clean(element.getAttribute('aria-label'))
  if (said) return said
  if (isField(element)) {
    const isButton = element.localName === 'input' && /^(?:button|submit|reset)$/.test(element.type)
    return (isButton && clean(element.value)) || labelOf(element) || clean(element.alt) || clean(element.placeholder) || clean(element.title)
  }
  const alt = element.localName === 'img' ? element.alt : element.querySelector('img[alt]')?.alt
  return textOf(element) || clean(alt) || clean(element.title)
}
const attributeNames = ['id', 'name', 'type', 'placeholder', 'title', 'alt', 'href', 'data-testid', 'data-test', 'data-test-id', 'data-qa', 'data-cy', 'data-id', 'autocomplete', 'class']
const attributesOf = (element) => {
  const found = {}
  for (const name of attributeNames) {
    const value = element.getAttribute(name)
    if (value && value.length <= 200) found[name] = name === 'href' ? value.split(/[?#]/)[0] || value : value.trim()
  }
  for (const { name, value } of [...element.attributes].slice(0, 30))
    if (/^data-[a-z-]{1,40}$/.test(name) && value && value.length <= 60 && Object.keys(found).length < 16) found[name] ??= value.trim()
  return found
}
// The texts beside an element: what is before it and after it in the order of the page.
const beside = (element, back) => {
  for (let node = element, up = 0; node && up < 5; node = node.parentElement, up += 1) {
    let next = back ? node.previousSibling : node.nextSibling
    for (let steps = 0; next && steps < 6; next = back ? next.previousSibling : next.nextSibling, steps += 1) {
      if (next.nodeType === 1 && (/^(?:script|style|template)$/.test(next.localName) || !next.checkVisibility?.())) continue
      const text = next.nodeType === 1 ? textOf(next) : next.nodeType === 3 ? clean(next.data) : ''
      if (text) return text
    }
    if (node.localName === 'body') return ''
  }
  return ''
}
// The texts of the block that repeats and that the element is in: a row, an entry, a card.
const rowOf = (element) => {
  for (let node = element, up = 0; node?.parentElement && up < 8; node = node.parentElement, up += 1) {
    if (node.localName === 'body') return []
    const isRow = /^(?:tr|li|article|dd)$/.test(node.localName) || /^(?:row|listitem|article)$/.test(node.getAttribute('role') ?? '')
    const alike = isRow || [...node.parentElement.children].slice(0, 200).some((other) => other !== node && other.localName === node.localName && node.className !== '' && other.className === node.className)
    if (!alike) continue
    const texts = leavesOf(node, element)
    if (texts.length > 0) return texts
  }
  return []
}
const leavesOf = (node, except) => {
  const texts = []
  const walker = document.createTreeWalker(node, 4)
  for (let steps = 0; steps < 100 && texts.length < 8 && walker.nextNode(); steps += 1) {
    const text = clean(walker.currentNode.data)
    if (text && !except.contains(walker.currentNode)) texts.push(text)
  }
  return texts
}
const pathOf = (element) => {
  const parts = []
  for (let node = element; node && node.localName !== 'body' && parts.length < 8; node = node.parentElement) {
    const twins = node.parentElement ? [...node.parentElement.children].filter((one) => one.localName === node.localName) : [node]
    parts.unshift(twins.length > 1 ? node.localName + ':' + (twins.indexOf(node) + 1) : node.localName)
  }
  const frame = frameOf(element)
  return ((frame ? pathOf(frame) + '/' : '') + parts.join('/')).slice(-1000)
}
const stateOf = (element) => {
  const state = {}
  if (element.localName === 'select') {
    const chosen = [...element.selectedOptions].map((option) => clean(option.label))
    state.value = element.multiple ? JSON.stringify(chosen.slice(0, 100)) : chosen[0] ?? ''
  } else if (element.type === 'checkbox' || element.type === 'radio') state.checked = element.checked
  else if (element.type === 'password') state.filled = element.value !== ''
  else if (isField(element) && element.type !== 'file' && !/^(?:button|submit|reset|image)$/.test(element.type)) state.value = element.value.slice(0, 10000)
  else if (element.isContentEditable) state.value = element.innerText.trim().slice(0, 10000)
  for (const name of ['checked', 'selected', 'expanded', 'pressed']) {
    const said = element.getAttribute('aria-' + name)
    if (said === 'true' || said === 'false') state[name] ??= said === 'true'
  }
  if (element.localName === 'summary' && element.parentElement?.localName === 'details') state.expanded = element.parentElement.open
  return state
}
const describe = (element) => ({
  role: roleOf(element), name: nameOf(element), label: labelOf(element), text: ownText(element), attributes: attributesOf(element),
  before: beside(element, true), after: beside(element, false), row: rowOf(element), path: pathOf(element), frame: frameWaysOf(element), state: stateOf(element),
})
const walk = (take) => {
  // A document that has only begun has no element yet.
  const open = [document.documentElement].filter(Boolean)
  let count = 0
  while (open.length > 0) {
    const element = open.pop()
    if ((count += 1) > most.nodes) return false
    if (/^(?:script|style|template|head|noscript)$/.test(element.localName)) continue
    if (frameNames.test(element.localName)) {
      const inner = documentIn(element)?.documentElement
      if (inner) open.push(inner)
      continue
    }
    take(element)
    for (const child of [...element.children].reverse()) open.push(child)
    for (const child of [...(element.shadowRoot?.children ?? [])].reverse()) open.push(child)
  }
  return true
}
const isLeaf = (element) => ownText(element) !== '' || ![...element.children].slice(0, 20).some(isVisible)
// What is in a button or a link is acted on with it, but for controls of its own.
const holders = 'a, button, summary, [role=button], [role=link], [role=tab], [role=menuitem], [role=option]'
const isTarget = (element) => {
  if (element.matches(actable)) return true
  if (element.localName === 'label' && element.control) return false
  if (/^(?:html|body|br|hr|option|optgroup)$/.test(element.localName) || element.parentElement?.closest(holders)) return false
  return isLeaf(element)
}
let found = []
const gather = () => {
  found = []
  const isWhole = walk((element) => {
    if (found.length <= most.elements && isTarget(element) && isVisible(element)) found.push(element)
  })
  return isWhole && found.length <= most.elements
}
const signs = () => {
  const said = []
  for (const element of documents().flatMap((one) => [...one.querySelectorAll('h1, h2, h3, h4, h5, h6, dialog[open], [role=heading], [role=dialog], [role=alertdialog], [role=alert], [role=status]')])) {
    if (said.length >= most.signs) break
    if (!isVisible(element)) continue
    const text = clean(element.getAttribute('aria-label') || textOf(element))
    if (text) said.push(text)
  }
  return said
}
const controls = () => {
  const said = []
  walk((element) => {
    if (said.length >= 200 || !element.matches('button, input:not([type=hidden]), textarea, select, [role=button], [role=tab], [role=textbox]')) return
    if (isVisible(element)) said.push(roleOf(element) + ' ' + nameOf(element))
  })
  return said
}
// Which one it is of those with its role and name in its document.
const place = (element) => {
  const alike = []
  const [role, name] = [roleOf(element), nameOf(element)]
  walk((other) => {
    if (alike.length < 500 && isBeside(other, element) && (other === element || (isTarget(other) && isVisible(other) && roleOf(other) === role && nameOf(other) === name))) alike.push(other)
  })
  return { index: Math.max(0, alike.indexOf(element)), of: Math.max(1, alike.length) }
}
// The form, dialog or landmark that it is in, or the page.
const parts = 'form, dialog, main, nav, header, footer, aside, [role=form], [role=dialog], [role=alertdialog], [role=main], [role=navigation], [role=banner], [role=contentinfo], [role=complementary], [role=search]'
const partOf = (element) => {
  for (let node = element, steps = 0; node && steps < 20; node = rootOf(node).host, steps += 1) {
    const part = node.closest(parts)
    if (part) return clean((part.getAttribute('role') || part.localName) + ' ' + (part.getAttribute('aria-label') ?? ''))
  }
  const frame = frameOf(element)
  return frame ? clean('frame ' + (frame.title || frame.name)) : 'page'
}
const kindOf = (element, part) => roleOf(element) + ' ' + part + ' ' + numberOf(element.ownerDocument)
// The part of the page in which it is the only one of its role.
const aloneIn = (element) => {
  const part = partOf(element)
  const kind = kindOf(element, part)
  let count = 0
  walk((other) => {
    if (count < 2 && other !== element && isBeside(other, element) && isTarget(other) && kindOf(other, partOf(other)) === kind && isVisible(other)) count += 1
  })
  return count === 0 ? part : ''
}
const texts = () => {
  const said = new Set()
  walk((element) => {
    const text = said.size < 500 ? ownText(element) : ''
    if (text && text.length <= 80 && isVisible(element)) said.add(text)
  })
  return [...said]
}
// Each document has a beginning of its own.
const loading = () => {
  const all = documents()
  const begun = all.map((one) => one.defaultView?.performance.timeOrigin ?? 0).reduce((sum, one) => sum + one, 0)
  return { document: begun, isLoaded: all.every((one) => one.readyState === 'complete') }
}
const page = () => ({ url: location.href, title: clean(document.title), signs: signs() })
const targetOf = (event) => {
  const [first] = event.composedPath()
  let element = first?.nodeType === 1 ? first : first?.parentElement
  for (let up = element, steps = 0; up && steps < 10; up = up.parentElement ?? rootOf(up).host, steps += 1) if (up.matches(actable)) return up
  return element
}
${handSource}
globalThis.eyes = {
  look: () => {
    const isWhole = gather()
    const inParts = found.map((element) => [element, partOf(element)])
    const counts = new Map()
    for (const [element, part] of inParts) counts.set(kindOf(element, part), (counts.get(kindOf(element, part)) ?? 0) + 1)
    const elements = inParts.map(([element, part]) => ({ ...describe(element), alone: counts.get(kindOf(element, part)) === 1 ? part : '' }))
    return { ...page(), isWhole, elements }
  },
  page, loading,
  digest: () => ({ ...page(), texts: texts(), controls: controls() }),
  describe: (element) => ({ ...describe(element), alone: aloneIn(element) }),
  place, targetOf, stateOf, isVisible, documents, documentIn,
  state: (index) => {
    const element = found[index]
    return element && isVisible(element) ? stateOf(element) : undefined
  },
  ...hands,
}
})()`
