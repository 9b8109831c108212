// Forms that a person must fill in before a site shows the requested page: a second factor, or a confirmation.
import type { HtmlPage } from '../page/page.ts'
import type { Element } from '../tree/tree.ts'

/** What a page requests from its visitor in place of its content. */
export type Prompt = 'second_factor' | 'confirmation'

interface PromptKit {
  readonly isShown: (element: Element) => boolean
  /** Returns whether the page has little besides the form with this field. `isTitled`: its title names the form. */
  readonly isMain: (field: Element, isTitled: boolean) => boolean
  readonly visibleText: () => string
}

const factorWords =
  /\b(?:two|2|multi|second)[\s-]?(?:factor|step)\b|\b(?:verification|authentication|one[\s-]?time|login|sign[\s-]?in) (?:code|passcode|password)\b|\bauthenticat(?:or app|ion app)\b|zwei-?faktor|zweistufig|bestätigungscode|verifizierungscode|einmal(?:code|passwor)|deux (?:facteurs|étapes)|double authentification|code (?:de vérification|de validation|à usage unique)|(?:dos|dois|due) (?:pasos|factores|fatores|passaggi|fattori)|duas etapas|código de (?:verificación|verificação|confirmación)|codice (?:di verifica|monouso)|tweestaps|tweefactor|verificatiecode|eenmalige code|dwuetapow|dwuskładnikow|kod (?:weryfikacyjny|jednorazowy)|tvåstegs|tvåfaktor|verifieringskod|engångskod|двухфактор|двухэтап|код подтверждения|одноразов|[2二](?:段階|要素)認証|認証コード|確認コード|ワンタイムパスワード|[两兩双雙二](?:步|重)(?:驗|验)(?:證|证)|短信验证码|手机验证码|一次性密[码碼]|2단계 인증|인증 ?(?:번호|코드)|doğrulama kodu|iki (?:adımlı|faktörlü)/iu
const factorName =
  /^(?:.*[_\-[.])?(?:otp|totp|mfa|2fa|tfa|otc|(?:one[_-]?time|two[_-]?factor|verification|sms|auth(?:entication|enticator)?)(?:[_-]?(?:code|pass(?:word|code)|token))?)(?:[_\-\].\d].*)?$/i
const codeName = /^(?:.*[_\-[.])?(?:code|pin|token|passcode|digit)(?:[_\-\].\d].*)?$/i
const typed = /^(?:text|tel|number|password)$/i

/** Returns the prompt that a page mainly consists of. */
export function findPrompt(page: HtmlPage, kit: PromptKit): Prompt | undefined {
  if (hasSecondFactor(page, kit)) return 'second_factor'
  return hasConfirmation(page, kit) ? 'confirmation' : undefined
}

function hasSecondFactor(page: HtmlPage, { isShown, isMain, visibleText }: PromptKit): boolean {
  const fields = page.elements.filter((element) => isTyped(element))
  const [declared] = fields.filter((field) => isDeclared(field) && isShown(field))
  const isTitled = factorWords.test(titleOf(page))
  if (declared) return isMain(declared, isTitled)
  const [code] = fields.filter((field) => isCode(field) && isShown(field))
  return code !== undefined && isMain(code, isTitled) && (isTitled || factorWords.test(startOf(visibleText())))
}

function isTyped({ name, attributes: { type = 'text', disabled } }: Element): boolean {
  return name === 'input' && typed.test(type) && disabled === undefined
}

function isDeclared({ attributes: { autocomplete = '' } }: Element): boolean {
  return /(?:^|\s)one-time-code(?:\s|$)/i.test(autocomplete)
}

/** Returns whether a field may be for a code of a few characters. The words of the page decide. */
function isCode({ attributes }: Element): boolean {
  const names = [attributes['name'], attributes['id']].filter((name) => name !== undefined)
  if (names.some((name) => name.length <= maxName && factorName.test(name))) return true
  const { maxlength = '', inputmode = '' } = attributes
  if (/^(?:1|[4-8])$/.test(maxlength)) return true
  return inputmode.toLowerCase() === 'numeric' || names.some((name) => name.length <= maxName && codeName.test(name))
}

const maxName = 100
/** Characters that are searched: such pages have little text. */
const maxText = 3_000

const confirmationWords =
  /\bare you (?:at least|over|of legal|old enough|\d\d)\b|\bconfirm(?: that)? you(?:['’]re| are) (?:at least|over|of legal|\d\d)\b|\bi(?:'m| am) (?:at least |over )?(?:18|21)\b|\b(?:18|21)\+? (?:years )?(?:or|and) (?:older|over)\b|\bage (?:verification|check|gate)\b|\b(?:verify|confirm) your age\b|\blegal (?:drinking|smoking) age\b|\b(?:accept|agree to)\b[^.]{0,60}\b(?:terms|conditions)\b[^.]{0,80}\b(?:continu|proceed|enter)|volljährig|(?:über|mindestens) 18|alters(?:prüfung|verifikation|kontrolle|abfrage)|(?:plus|moins) de 18 ans|vérification de l['’]âge|mayor(?:es)? de (?:edad|18)|verificación de edad|maior(?:es)? de (?:idade|18)|verificação de idade|maggiorenne|più di 18 anni|verifica dell['’]età|18 jaar of ouder|ouder dan 18|leeftijdscontrole|ukończon\w+ 18|pełnoletni|weryfikacja wieku|(?:fyllt|över) 18|ålderskontroll|(?:есть|исполнилось|старше) 18|совершеннолет|18歳以上|年齢確認|(?:满|滿) ?18|年[龄齡][验驗确確][证證认認]|만 ?1[89]세|성인 ?인증|연령 ?확인|18 yaş|yaş doğrulama|nutzungsbedingungen[^.]{0,60}(?:akzeptier|zustimm)|conditions d['’]utilisation[^.]{0,60}accept|términos[^.]{0,60}acept|termos[^.]{0,60}aceit|termini[^.]{0,60}accett|voorwaarden[^.]{0,60}accepte|regulamin[^.]{0,60}akcept|villkor[^.]{0,60}godkänn|利用規約[^。]{0,60}同意|(?:条款|條款)[^。]{0,60}同意|同意[^。]{0,60}(?:条款|條款)|약관[^.]{0,60}동의/iu
/** Fields for a date of birth. A page with more fields is another form. */
const maxFields = 3
const maxLinks = 15

function hasConfirmation(page: HtmlPage, { isShown, isMain, visibleText }: PromptKit): boolean {
  const controls = page.elements.filter((element) => isControl(element) && isShown(element))
  const [button] = controls
  if (!button || !isMain(button, false)) return false
  const fields = page.elements.filter((element) => isField(element) && isShown(element))
  if (
    fields.length > maxFields ||
    fields.some(({ attributes: { type = '' } }) => /^(?:password|email|search)$/i.test(type))
  )
    return false
  const links = page.elements.filter(({ name, attributes: { href } }) => name === 'a' && href !== undefined)
  return links.length <= maxLinks && confirmationWords.test(`${titleOf(page)}. ${startOf(visibleText())}`)
}

function isControl({ name, attributes: { type = '', role = '', class: names = '' } }: Element): boolean {
  if (name === 'button' || role === 'button') return true
  return name === 'input' ? /^(?:submit|button|image)$/i.test(type) : name === 'a' && /\bbtn|\bbutton/i.test(names)
}

function isField({ name, attributes: { type = 'text' } }: Element): boolean {
  if (name === 'select' || name === 'textarea') return true
  return name === 'input' && !/^(?:hidden|submit|button|image|checkbox|radio|reset)$/i.test(type)
}

function titleOf(page: HtmlPage): string {
  const titles = page.elements.filter(({ name }) => name === 'title' || name === 'h1' || name === 'h2')
  return titles
    .slice(0, 3)
    .map((title) => page.textOf(title).slice(0, 200))
    .join('. ')
}

function startOf(text: string): string {
  return text.slice(0, maxText).replace(/\s+/g, ' ')
}
