import type { HtmlPage } from '../page/page.ts'
import { countText, wordless } from '../parse/noscript.ts'
import { compileSelector, isProblem, selectAll } from '../select/select.ts'
import type { Element, Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'
import { surroundings } from './loading.ts'
import { findPrompt, type Prompt } from './prompt.ts'

/** What a page shows to visitors who are logged in. */
export interface LoginMarker {
  readonly selector?: string | undefined
  readonly text?: string | undefined
}

/** Whether a page asks its visitor to log in. */
export interface LoginState {
  /** The visible form to log in: what the page is mainly about, a part of it, or only a field for the user name. */
  readonly form: 'main' | 'part' | 'name' | 'none'
  /** A form without which the site does not show its pages, if the page mainly consists of it. */
  readonly prompt?: Prompt
  /** Whether everything of the marker is on the page. Absent without a marker. */
  readonly hasMarker?: boolean
}

/** With more text than this around it, a form is only a part of its page. */
const maxAround = 600
/** The same for a page whose title is about logging in. */
const maxAroundTitled = 2_000

const loginTitle =
  /\b(?:log|sign)[\s-]?(?:in|on)\b|anmeld|einlogg|connexion|se connecter|iniciar sesi|acceder|accedi|inloggen|zaloguj|logga in|log ind|logg inn|kirjaudu|přihlá|bejelentkez|войти|вход|увійти|giriş|σύνδεση|ログイン|登录|登入|로그인|تسجيل الدخول|เข้าสู่ระบบ|đăng nhập|masuk/iu
const nameField = /^(?:user(?:[_-]?(?:name|id))?|login(?:[_-]?(?:name|id|email))?|identifier)$/i
const outside = /^(?:(?:site|page|top|main)[_-]?)?(?:header|top-?bar|nav(?:bar|igation)?|menu|footer|side-?bar)$/i
const outsideNames = new Set(surroundings)
const outsideRoles = new Set(['banner', 'navigation', 'contentinfo', 'complementary', 'search'])

/**
 * Returns whether the page shows a form to log in or another prompt, and the marker. Fields that are hidden when the page opens
 * do not count.
 */
export function readLogin(page: HtmlPage, marker?: LoginMarker): LoginState {
  const isShown = (element: Element): boolean => !isWithin(element, page.closed)
  const prompt = findPrompt(page, {
    isShown,
    isMain: (field, isTitled) => isMain(page, field, isTitled),
    visibleText: () => visibleText(page.root, new Set(page.hiddenReasons.keys())),
  })
  const form = formOf(page, isShown)
  return { form, ...(prompt && { prompt }), ...(marker && { hasMarker: hasMarker(page, marker) }) }
}

function formOf(page: HtmlPage, isShown: (element: Element) => boolean): LoginState['form'] {
  const inputs = page.elements.filter(({ name }) => name === 'input')
  const passwords = inputs.filter((input) => isPassword(input) && isShown(input))
  const [password] = passwords
  if (!password) return inputs.some((input) => isNameField(input) && isShown(input)) ? 'name' : 'none'
  // Several fields, or one for a new password, are a form to register or to change a password.
  if (passwords.length > 1 || /new-password|one-time-code/i.test(password.attributes['autocomplete'] ?? ''))
    return 'none'
  const title = page.elements.find(({ name }) => name === 'title' || name === 'h1')
  return isMain(page, password, title !== undefined && loginTitle.test(page.textOf(title))) ? 'main' : 'part'
}

function isPassword({ attributes }: Element): boolean {
  return /^password$/i.test(attributes['type'] ?? '') && attributes['disabled'] === undefined
}

function isNameField({ attributes }: Element): boolean {
  const { type = 'text', autocomplete = '', name = '', id = '' } = attributes
  if (!/^(?:text|email|tel)$/i.test(type)) return false
  return /\b(?:username|webauthn)\b/i.test(autocomplete) || nameField.test(name) || nameField.test(id)
}

/**
 * Returns whether the page has little besides the form with this field, and the form is not in a header or menu. A page whose
 * title names the form may have more text.
 */
function isMain(page: HtmlPage, field: Element, isTitled: boolean): boolean {
  let form: Element = field
  for (let at: Element | null = field; at; at = at.parent) {
    if (outsideNames.has(at.name) || outsideRoles.has(at.attributes['role'] ?? '') || isOutside(at)) return false
    if (at.name === 'form' && form === field) form = at
  }
  const around = page.elements.filter(
    ({ name, attributes }) => outsideNames.has(name) || attributes['role'] === 'banner',
  )
  return (
    countText(page.root, new Set<Node>([...page.closed, ...around, form])) <= (isTitled ? maxAroundTitled : maxAround)
  )
}

function isOutside({ name, attributes }: Element): boolean {
  if (name === 'body' || name === 'html') return false
  return [attributes['id'], ...(attributes['class'] ?? '').split(/\s+/)].some((word) => word && outside.test(word))
}

function hasMarker(page: HtmlPage, { selector, text }: LoginMarker): boolean {
  const hidden = new Set(page.hiddenReasons.keys())
  if (selector !== undefined) {
    const compiled = compileSelector(selector)
    const found = isProblem(compiled) ? compiled : selectAll(compiled, page.root)
    if (isProblem(found)) page.warn(found.problem)
    if (isProblem(found) || !found.some((element) => !isWithin(element, hidden))) return false
  }
  return text === undefined || withoutSpace(visibleText(page.root, hidden)).includes(withoutSpace(text))
}

/** Returns a text in lower case without white space, because elements may divide words from punctuation. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}

function visibleText(root: Element, hidden: ReadonlySet<Node>): string {
  const texts: string[] = []
  for (let node = nextNode(root, root); node;) {
    const isSkipped = hidden.has(node) || (node.type === 'element' && wordless.has(node.name))
    if (!isSkipped && node.type === 'text') texts.push(node.text)
    node = nextNode(node, root, isSkipped)
  }
  return texts.join(' ')
}

function isWithin(element: Element, nodes: ReadonlySet<Node>): boolean {
  if (nodes.size === 0) return false
  for (let at: Element | null = element; at; at = at.parent) if (nodes.has(at)) return true
  return false
}
