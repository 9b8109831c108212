// Lines that publishing systems put between the paragraphs of an article, in the most common languages: teasers of other
// pages, invitations to a newsletter, share labels, reading times, copyright lines.
import { block, blockText, blockWidth, type Blocks } from './block-table.ts'
import { columnsOf, isWithin } from './furniture.ts'

/** Notices have at most `words` words. Pages need `content` words besides the notices. */
const limits = { words: 40, shortWords: 8, chars: 500, content: 80, links: 0.4, formLevels: 3 } as const

const anyOf = (...parts: readonly string[]): string => `(?:${parts.join('|')})`

const teasers = anyOf(
  "read (?:more|also|next)|also read|more on this(?: topic| story)?|related(?: (?:article|stor|post|content|read)\\w*)?|recommended(?: reading)?|don[’']t miss|up next|you (?:may|might) also (?:like|enjoy)",
  'mehr (?:zum thema|dazu)|lesen sie (?:auch|mehr|dazu)|lies auch|lesetipp|auch interessant|passend dazu',
  'à lire(?: aussi| également)?|lire (?:aussi|la suite)|sur le même (?:sujet|thème)|voir aussi',
  'lea(?: también| más| además)?|lee también|leer (?:más|también)|vea(?: también)?|ver también|te puede interesar',
  'leggi anche|potrebbe interessarti|leia (?:também|mais)|veja (?:também|mais)|saiba mais',
  'lees (?:ook|meer|verder)|bekijk ook|läs (?:också|mer|även)|les (?:også|mer)|læs (?:også|mere)|lue (?:myös|lisää)',
  'czytaj (?:też|także|więcej|dalej)|zobacz (?:też|także|więcej)|przeczytaj(?: też| także)?|dowiedz się więcej',
  'čtěte (?:také|též)|přečtěte si(?: také)?|čítajte aj|citește și|olvasta már|διαβάστε (?:επίσης|ακόμα|ακόμη)',
  'читайте (?:также|ещё|еще)|смотрите также|по теме|читайте також|bunu da oku|ayrıca oku|ilgili haber',
  'baca juga|simak juga|xem thêm|đọc thêm|อ่านเพิ่มเติม|اقرأ أيض[اً]{1,2}|بیشتر بخوانید|קראו (?:גם|עוד)|(?:इसे|यह) भी पढ़ें',
  '相关阅读|延伸阅读|相关报道|延伸閱讀|関連記事|あわせて読みたい|관련\\s?기사',
)
const teaser = new RegExp(`^[^\\p{L}]{0,4}${teasers}\\s{0,2}[:：»>|–—]`, 'u')

const letter = /newsletter|infobrief|bolet[ií]n|рассылк|bülten|ニュースレター|뉴스레터/u
const signUp = anyOf(
  '\\b(?:sign up|subscribe(?: to)?|get our)\\b|anmelden|melden sie|melde dich|abonnier(?:en|e|t)',
  'abonnez|inscrivez|suscr[ií]b|apúntate|iscriviti|assine|inscreva|schrijf|meld je|zapisz|подпи|prenumerera|abone ol|登録|구독',
)
const mentionsSignUp = new RegExp(signUp, 'u')
/** Matches an invitation at the start of a sentence. */
const invitation = new RegExp(`(?:^|[.!?:…–—|]\\s+)[^\\p{L}\\p{N}]{0,3}(?:please )?${signUp}`, 'u')

const mark = '[^\\p{L}\\p{N}]{0,3}'

const share = new RegExp(
  `^${mark}(?:share|tweet|teilen|partager|compartir|compartilhar|condividi|delen|udostępnij|поделиться|dela|paylaş|分享|シェア|공유)` +
    `(?: (?:this|on|via|auf|sur|en|su|no|op|na|article|story|post|page|artikel|facebook|twitter|x|linkedin|whatsapp|e-?mail)){0,4}${mark}$`,
  'u',
)

const minutes = '(?:ca\\. ?)?\\d{1,3}[ -]?min(?:ut(?:e[sn]?|os?|i))?s?\\.?'
const readingTime = new RegExp(
  `^${mark}(?:${minutes} (?:read|reading time|lesezeit|de lecture|de lectura|di lettura|de leitura|leestijd|czytania|чтения)|` +
    `(?:reading time|lesezeit|temps de lecture|tiempo de lectura|tempo di lettura|tempo de leitura) ?:? ?${minutes})${mark}$`,
  'u',
)

const copyright =
  /^(?:copyright )?(?:©|\(c\)|copyright) ?(?:19|20)\d\d\b|all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|todos os direitos reservados|tutti i diritti riservati|alle rechten voorbehouden|wszelkie prawa zastrzeżone|все права защищены|all rättigheter|版权所有|無断転載/u

/** Elements and class names of forms to sign up. */
const forms = columnsOf('form', '.news')

/** Captions, quotations, code and tables can have such words. */
const exempt = columnsOf('figure', 'figcaption', 'blockquote', 'pre', 'table')

/**
 * Removes notices from `included`, which has 1 for each included block. Does nothing on pages with fewer than 80 other
 * words.
 */
export function removeNotices(blocks: Blocks, included: Uint8Array): void {
  const { data } = blocks.table
  const notices: number[] = []
  let others = 0
  for (let i = 0; i < blocks.count; i++) {
    if (included[i] === 0) continue
    if (isNotice(blocks, i)) notices.push(i)
    else others += data[i * blockWidth + block.words]!
  }
  if (others >= limits.content) for (const i of notices) included[i] = 0
}

function isNotice(blocks: Blocks, i: number): boolean {
  const { data } = blocks.table
  const at = i * blockWidth
  const words = data[at + block.words]!
  if (words > limits.words || data[at + block.chars]! > limits.chars || data[at + block.heading]! > 0) return false
  if (isWithin(blocks, i, exempt)) return false
  const text = blockText(blocks, i).toLowerCase()
  if (words <= limits.shortWords && (share.test(text) || readingTime.test(text))) return true
  if (data[at + block.linkWords]! >= words * limits.links && teaser.test(text)) return true
  return copyright.test(text) || (letter.test(text) && isInvitation(blocks, i, text))
}

/** Returns whether a block with the word "newsletter" is an invitation to subscribe, and not a sentence about newsletters. */
function isInvitation(blocks: Blocks, i: number, text: string): boolean {
  if (!mentionsSignUp.test(text)) return false
  const { data } = blocks.table
  const at = i * blockWidth
  if (data[at + block.linkWords]! >= data[at + block.words]! * limits.links) return true
  return isWithin(blocks, i, forms, limits.formLevels) || invitation.test(text)
}
