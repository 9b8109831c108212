// The words around dates and names in visible lines, by language: the 20 largest of the web, and some of their neighbours.

interface LineWords {
  /** Words for a publication, and its stems (a trailing `-`). */
  readonly published: string
  /** Words for a modification. */
  readonly changed: string
  /** Words before the name of an author. */
  readonly by: string
}

const languages: Readonly<Record<string, LineWords>> = {
  en: {
    published: 'published posted written created released',
    changed: 'updated update modified reviewed last edited',
    by: 'by author words_by story_by text_by',
  },
  de: {
    published: 'veröffentlicht- erstellt erschienen',
    changed: 'aktualisiert- geändert bearbeitet',
    by: 'von autor autorin verfasst_von',
  },
  fr: {
    published: 'publié-',
    changed: 'mis_à_jour mise_à_jour modifié-',
    by: 'par auteur texte écrit_par publié_par rédigé_par',
  },
  es: {
    published: 'publicado publicada',
    changed: 'actualizado actualizada',
    by: 'por autor texto escrito_por publicado_por',
  },
  pt: {
    published: 'publicado publicada',
    changed: 'atualizado atualizada',
    by: 'por autor texto escrito_por publicado_por',
  },
  it: {
    published: 'pubblicato pubblicata',
    changed: 'aggiornato aggiornata',
    by: 'di da autore autrice scritto_da pubblicato_da',
  },
  nl: { published: 'gepubliceerd geplaatst', changed: 'bijgewerkt gewijzigd', by: 'door auteur geschreven_door' },
  sv: { published: 'publicerad publicerat', changed: 'uppdaterad uppdaterat', by: 'av text författare skriven_av' },
  no: { published: 'publisert', changed: 'oppdatert', by: 'av tekst skrevet_av' },
  da: { published: 'udgivet offentliggjort', changed: 'opdateret', by: 'af tekst skrevet_af' },
  fi: { published: 'julkaistu', changed: 'päivitetty', by: 'teksti kirjoittaja kirjoittanut' },
  pl: { published: 'opublikowan-', changed: 'zaktualizowan- aktualizacj-', by: 'autor autorka przez napisał napisała' },
  cs: { published: 'publikov- zveřejněn-', changed: 'aktualizov- aktualizác-', by: 'autor autorka napsal napsala' },
  hu: { published: 'közzé- megjelen-', changed: 'frissít-', by: 'szerző írta' },
  ro: { published: 'publicat', changed: 'actualizat', by: 'autor scris_de' },
  hr: { published: 'objavljen-', changed: 'ažuriran-', by: 'autor autorica piše' },
  ru: { published: 'опубликован- дата_публикации', changed: 'обновлен- обновлён- изменен-', by: 'автор текст' },
  uk: { published: 'опубліков-', changed: 'оновлен-', by: 'автор текст' },
  bg: { published: 'публикуван-', changed: 'обновен-', by: 'автор от' },
  el: { published: 'δημοσι-', changed: 'ενημ-', by: 'συντάκτης συντάκτρια κείμενο γράφει' },
  tr: { published: 'yayın-', changed: 'güncelle-', by: 'yazan yazar' },
  id: { published: 'diterbitkan dipublikasikan', changed: 'diperbarui', by: 'oleh penulis' },
  vi: { published: 'đăng xuất_bản', changed: 'cập_nhật', by: 'tác_giả bởi' },
  ar: { published: 'نشر- نُشر- تاريخ_النشر', changed: 'تحديث آخر_تحديث', by: 'بقلم كتب الكاتب المؤلف' },
  fa: { published: 'منتشر- انتشار', changed: 'به‌روز- بروزرسانی به_روز-', by: 'نویسنده نوشته به_قلم' },
  he: { published: 'פורסם פורסמה', changed: 'עודכן עדכון', by: 'מאת כתב כתבה' },
  hi: { published: 'प्रकाशित', changed: 'अपडेट अद्यतन', by: 'लेखक द्वारा' },
  th: { published: 'เผยแพร่ โพสต์เมื่อ', changed: 'อัปเดต อัพเดท แก้ไข', by: 'โดย ผู้เขียน' },
  ja: { published: '公開 投稿 掲載 配信', changed: '更新', by: '著者 筆者 執筆 文' },
  ko: { published: '게시 입력 등록 발행', changed: '수정 업데이트', by: '글 작성자 글쓴이' },
  zh: { published: '发布 發布 发表 發表 投稿 刊登', changed: '更新', by: '作者 文 撰文 记者 記者' },
}

const wordsOf = (kind: keyof LineWords): readonly string[] => [
  ...new Set(Object.values(languages).flatMap((words) => words[kind].split(' '))),
]

/** Scripts that write no space between words. */
const isUnspaced = (word: string): boolean =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u.test(word)

/** Returns a pattern for these words: a stem may continue, and a word of a script without spaces has no edges. */
function patternOf(words: readonly string[]): string {
  const spaced = words.filter((word) => !isUnspaced(word))
  return [String.raw`(?<![\p{L}\p{M}])(?:${spacedPattern(spaced)})`, ...words.filter(isUnspaced)].join('|')
}

/** Has the edge only once at the end: compiling its classes takes longer than the rest of the pattern. */
function spacedPattern(words: readonly string[]): string {
  const patterns = words.map((word) => word.replaceAll('_', String.raw`\s+`))
  const complete = patterns.filter((pattern) => !pattern.endsWith('-'))
  const stems = patterns.flatMap((pattern) => (pattern.endsWith('-') ? pattern.slice(0, -1) : []))
  return [String.raw`(?:${complete.join('|')})(?![\p{L}\p{M}])`, ...stems].join('|')
}

/** Matches a word for a publication. */
export const publishedWords = new RegExp(patternOf(wordsOf('published')), 'iu')
/** Matches a word for a modification. A reviewer or editor is a person, not a modification. */
export const changedWords = new RegExp(`(?:${patternOf(wordsOf('changed'))})(?!\\s+by\\b)`, 'iu')

const signs = String.raw`\s*[:：=＝/／]?\s*`
/** Longer phrases first: "written by" before "by". */
const by = wordsOf('by').toSorted((one, other) => other.length - one.length)
const english = [
  String.raw`(?:written|posted|post|published|reported|created|authored|submitted|contributed)\s+by`,
  String.raw`as\s+told\s+to`,
]
const spacedBy = spacedPattern([...english, ...by.filter((word) => !isUnspaced(word))])
const unspacedBy = by.filter(isUnspaced)

/** Signs of scripts without spaces need a colon or a space after them. */
const byWords = new RegExp(
  String.raw`^(?:(?<word>${spacedBy})(?:\s*[:：]\s*|\s+)|(?<sign>${unspacedBy.join('|')})(?:\s*[:：=＝/／]\s*|\s+))`,
  'iu',
)

const firstLetters = new Set(
  ['written', 'posted', 'reported', 'created', 'submitted', 'contributed', 'as', ...by].flatMap((word) => [
    word[0]!,
    word[0]!.toUpperCase(),
  ]),
)

/** Words that also start lines without an author, or names ("Text", "Da Vinci"), with their languages. */
const ambiguousBy = new Map(
  'text da di av af von par por door от 文 글'
    .split(' ')
    .map((word) => [
      word,
      Object.keys(languages).filter((language) => languages[language]!.by.split(' ').includes(word)),
    ]),
)

/** Returns whether a string may start with words before an author, in any language. Most strings do not, and the pattern is slow. */
export const mayStartWithBy = (text: string): boolean => firstLetters.has(text[0] ?? '') && byWords.test(text)

/**
 * Returns the length of a prefix such as "by" or "author:", or 0. Ambiguous prefixes need a colon or a page
 * in their language.
 */
export function byLength(text: string, language: string): number {
  const found = firstLetters.has(text[0] ?? '') ? byWords.exec(text) : null
  if (!found) return 0
  const { word, sign = '' } = found.groups ?? {}
  const owners = ambiguousBy.get((word ?? sign).toLowerCase())
  const isCertain = owners === undefined || /[:：=＝/／]/.test(found[0]) || owners.includes(plainLanguage(language))
  return isCertain ? found[0].length : 0
}

/** Returns the key of a language in `languages`. Norwegian has two written forms. */
const plainLanguage = (tag: string): string =>
  tag
    .split('-', 1)[0]!
    .toLowerCase()
    .replace(/^n[bn]$/, 'no')

/** Matches the words before an author and the name, up to a separator. */
export const byName = new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${spacedBy})${signs}[^|·•»,:\d]{2,40}`, 'giu')

/** Matches a label of a day that is not the page's: of a product's release, a membership, a deadline, a copyright. */
export const otherDayWords =
  /©|(?<![\p{L}\p{M}])(?:copyright|release date|join(?:ed)?|member since|registered|founded|born|deadline|expires|valid until|erscheinungs(?:datum|termin)|mitglied seit|gültig bis|date de sortie|inscrit|fecha de (?:lanzamiento|estreno)|miembro desde|data de lançamento|membro desde|data di (?:uscita|rilascio)|releasedatum|verschijningsdatum|lid sinds|data premiery|дата (?:выхода|выпуска|регистрации)|дата виходу|çıkış tarihi|tanggal rilis|ngày phát hành|تاريخ الإصدار)(?![\p{L}\p{M}])|発売日|リリース日|配信開始日|출시일|가입일|发行日期|發行日期|發售日|上市日期|注册时间|註冊時間/iu

/** Matches the time that a text takes to read, at the end of a line. */
export const readingTime =
  /(?<![\p{L}\d])\d{1,3}\s*(?:-\s*)?(?:min(?:s|utes?|uten?|uti|utos?|uter|uut\p{L}*|ut)?|мин\p{L}*|хв\p{L}*|dk|dakika|phút|menit|perc|λεπτ\p{L}*|דק\p{L}*|دقائق|دقيقة|دقیقه|นาที|मिनट|분|分钟|分鐘|分)(?![\p{L}])[^\d]{0,16}$/iu
