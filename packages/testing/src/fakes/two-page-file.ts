/** Text of the file of `twoPageFile`, and where it is on its pages, as fractions of the page. */
export const filePassages = {
  first: { text: 'The lamp Aurora is made of oak.', page: 1, box: [0.1, 0.1, 0.9, 0.2] },
  second: { text: 'Delivery of the lamp takes 40 days.', page: 2, box: [0.1, 0.5, 0.8, 0.6] },
} as const

/** Returns the result of a parser for a file with two pages, each with one block and its box. */
export function twoPageFile() {
  const passages = Object.values(filePassages)
  return {
    html: passages.map(({ text }) => `<p>${text}</p>`).join(''),
    isAllContent: true,
    units: 2,
    pages: passages.map(({ text, page, box }) => ({
      ...{ number: page, html: '', status: 'ok' as const },
      blocks: [{ type: 'text' as const, content: text, bbox: box }],
    })),
  }
}
