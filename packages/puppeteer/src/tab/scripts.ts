import { hasNotice } from './banners.ts'
import { pageState } from './page-state.ts'

// What we run inside pages. Each is the text of one function: it is sent to the browser and sees nothing of this file.

/**
 * Waits until the document is there and nothing has been added to it for a while. A page without scripts is done when
 * it is there. Attributes do not count: pages that only move things about are never still. Returns what the page shows by
 * then, and whether something looks like a cookie notice.
 */
export const settled = /* js */ `(quiet, cap) => new Promise((resolve) => {
  const start = performance.now()
  let last = start
  let timer
  const observer = new MutationObserver(() => { last = performance.now() })
  const end = () => {
    observer.disconnect()
    clearTimeout(timer)
    const state = (${pageState})()
    const isFinal = state.kind !== 'leaving' && document.scripts.length === 0 && !document.querySelector('iframe,frame')
    resolve({ notice: (${hasNotice})(), state, isFinal })
  }
  const look = () => {
    const now = performance.now()
    if (now - last >= quiet || now - start >= cap) return end()
    timer = setTimeout(look, Math.min(quiet - (now - last), cap - (now - start)) + 1)
  }
  const begin = () => {
    clearTimeout(timer)
    if (document.scripts.length === 0 && !document.querySelector('iframe,frame')) return end()
    last = performance.now()
    look()
  }
  observer.observe(document, { subtree: true, childList: true, characterData: true })
  if (document.readyState !== 'loading') begin()
  else {
    document.addEventListener('DOMContentLoaded', begin, { once: true })
    timer = setTimeout(end, cap)
  }
})`

/**
 * The document as text. What open shadow roots show is put where it is seen, what frames of the same origin show into
 * their srcdoc. Frames that cannot be read from here get a mark, and are kept in the same order for the next caller.
 * Everything happens on a copy in a document that loads and runs nothing.
 */
export const serialised = /* js */ `(mark, deepest, most) => {
  const foreign = globalThis.harvestmanForeign = []
  const typeOf = (doc) => (doc.doctype ? '<!DOCTYPE ' + doc.doctype.name + '>' : '')
  const isPlain = (doc) => {
    if (doc.querySelector('iframe, frame')) return false
    for (const element of doc.querySelectorAll('*')) if (element.shadowRoot) return false
    return true
  }
  const read = (doc, depth) => {
    const root = doc.documentElement
    if (!root) return ''
    if (isPlain(doc)) return typeOf(doc) + root.outerHTML
    const inert = document.implementation.createHTMLDocument('')
    const copies = new Map()
    const copyOf = (live) => {
      const copy = inert.importNode(live, true)
      const pairs = [[live, copy]]
      for (const [from, to] of pairs) {
        copies.set(from, to)
        const [a, b] = [from.childNodes, to.childNodes]
        for (let i = 0; i < a.length; i++) if (b[i]) pairs.push([a[i], b[i]])
      }
      for (const [from, to] of pairs) {
        if (from.shadowRoot) showShadow(from, to)
        else if (from.localName === 'iframe' || from.localName === 'frame') showFrame(from, to)
      }
      return copy
    }
    const showShadow = (host, copy) => {
      copy.replaceChildren(...[...host.shadowRoot.childNodes].map(copyOf))
      for (const slot of host.shadowRoot.querySelectorAll('slot')) {
        const assigned = slot.assignedNodes().map((node) => copies.get(node)).filter(Boolean)
        const place = copies.get(slot)
        if (place) place.replaceWith(...(assigned.length > 0 ? assigned : place.childNodes))
      }
    }
    const showFrame = (frame, copy) => {
      if (depth >= deepest) return
      let inner
      try { inner = frame.contentDocument } catch {}
      if (inner) {
        if (inner.URL !== 'about:blank' || (inner.body && inner.body.childNodes.length > 0)) {
          copy.setAttribute('srcdoc', read(inner, depth + 1))
        }
      } else {
        copy.setAttribute(mark, String(foreign.length))
        foreign.push(frame)
      }
    }
    return typeOf(doc) + copyOf(root).outerHTML
  }
  const html = read(document, 0)
  globalThis.harvestmanText = html.length > most ? html : undefined
  return { start: html.slice(0, most), length: html.length, foreign: foreign.length }
}`

/** More of a document that is too long for one answer. It is forgotten with its end. */
export const nextOfText = /* js */ `(from, to) => {
  const text = globalThis.harvestmanText
  if (text === undefined || to >= text.length) delete globalThis.harvestmanText
  return text?.slice(from, to)
}`

/** The frame element behind a mark. */
export const foreignFrame = /* js */ `(index) => globalThis.harvestmanForeign?.[index]`
