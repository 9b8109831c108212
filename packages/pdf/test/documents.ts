import { lines, prose } from './lines.ts'
import type { PdfInput, PdfPage, Stroke } from './make-pdf.ts'
import { papers } from './papers.ts'

function grid(xs: readonly number[], ys: readonly number[]): Stroke[] {
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)]
  return [
    ...xs.map((x): Stroke => ({ from: [x, top], to: [x, bottom] })),
    ...ys.map((y): Stroke => ({ from: [left, y], to: [right, y] })),
  ]
}

const headings: PdfInput = {
  info: { Title: 'Harvestmen', Author: 'A. Reader', CreationDate: "D:20240203040506+01'00'" },
  pages: [
    {
      texts: [
        { text: 'Harvestmen', x: 72, y: 90, size: 24, font: 'bold' },
        ...lines(72, 130, prose),
        { text: '1 Where they live', x: 72, y: 190, size: 16, font: 'bold' },
        ...lines(72, 215, prose),
        { text: '1.1 In forests', x: 72, y: 275, size: 12.5, font: 'bold' },
        ...lines(72, 295, prose),
        { text: 'Near water', x: 72, y: 350, font: 'bold' },
        ...lines(72, 370, prose),
        { text: '2 What they eat', x: 72, y: 430, size: 16, font: 'bold' },
        ...lines(72, 455, prose),
      ],
    },
  ],
}

const paragraphs: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, [
          'Words that a line cuts are joined again, so that docu-',
          'ments can be searched. A well-known word keeps its hyphen when it is well-',
          'known from elsewhere in the same text, where it stands on one line.',
        ]),
        { text: 'A first line that stands in begins a paragraph, here without a gap above it,', x: 90, y: 126 },
        ...lines(72, 138, [
          'and the lines after it go back to the margin. What looks like Markdown, such as',
          '# this or *that* or [these](brackets) or 1_000_000, stays what it was in the file.',
        ]),
        ...lines(72, 190, [
          '1998. was a year, and this line begins with its number. Nothing is a list here',
          'although the line looks like one.',
        ]),
      ],
    },
  ],
}

const lists: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, ['These are its parts:']),
        { text: '\u2022', x: 80, y: 110 },
        { text: 'eight legs, of which the second pair is the longest and feels the way for all of', x: 94, y: 110 },
        { text: 'the others;', x: 94, y: 122 },
        { text: '\u2022', x: 80, y: 136 },
        { text: 'two eyes on a small hill:', x: 94, y: 136 },
        { text: '\u2013 one to the left,', x: 98, y: 150 },
        { text: '\u2013 one to the right;', x: 98, y: 164 },
        { text: '\u2022 one body.', x: 80, y: 178 },
        ...lines(72, 205, ['It is found like this:']),
        { text: '3. Look under leaves.', x: 80, y: 225 },
        { text: '4. Wait for the evening, and do not move until it has come out of its place and', x: 80, y: 239 },
        { text: 'goes for a walk.', x: 92, y: 251 },
        { text: '5. Count its legs.', x: 80, y: 265 },
      ],
    },
  ],
}

const ruledTable: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, prose),
        { text: 'Species', x: 76, y: 155, font: 'bold' },
        { text: 'Found in', x: 204, y: 155, font: 'bold' },
        { text: 'Phalangium opilio', x: 76, y: 175 },
        { text: 'gardens', x: 204, y: 175 },
        { text: 'fields', x: 304, y: 175 },
        { text: 'Leiobunum with a name', x: 76, y: 195 },
        { text: 'that is long', x: 76, y: 207 },
        { text: 'walls | rocks', x: 204, y: 195 },
        { text: 'caves', x: 304, y: 195 },
        ...lines(72, 250, prose),
      ],
      strokes: [
        ...grid([70, 200, 300, 400], [160, 180, 215]),
        { from: [70, 140], to: [400, 140] },
        { from: [70, 140], to: [70, 160] },
        { from: [200, 140], to: [200, 160] },
        { from: [400, 140], to: [400, 160] },
      ],
    },
  ],
}

const alignedTable: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, prose),
        ...['Year', 'Seen', 'Place'].map((text, index) => ({ text, x: 72 + index * 110, y: 150 })),
        ...['2021', '14', 'by the river'].map((text, index) => ({ text, x: 72 + index * 110, y: 164 })),
        ...['2022', '9', 'in the garden'].map((text, index) => ({ text, x: 72 + index * 110, y: 178 })),
        { text: 'and behind it', x: 292, y: 190 },
        ...['2023', '', 'nowhere'].map((text, index) => ({ text, x: 72 + index * 110, y: 204 })),
        ...lines(72, 240, prose),
      ],
    },
  ],
}

const left = [
  'The left column is read first from',
  'its top to its bottom, although the',
  'right one stands beside it on each',
  'line, and its last sentence goes on',
  'in the other column, where it finds',
  'its end after a few more words that',
]
const right = [
  'nobody would look for up here. Only',
  'then comes the right column, which',
  'has lines of its own and says things',
  'of its own. When both are read the',
  'text below them follows, which goes',
  'across the page again as before.',
]

const columns: PdfInput = {
  pages: [
    {
      texts: [
        { text: 'A title over both columns of the page, set in the middle', x: 100, y: 80, size: 16, font: 'bold' },
        ...lines(72, 120, left),
        ...lines(320, 120, right),
        ...lines(72, 215, [
          'This sentence goes across the whole page, from the left margin to the right margin of it.',
          'So does this one, which ends the text and has been put here so that there are two lines of it.',
        ]),
      ],
    },
  ],
}

const three: PdfInput = {
  pages: [
    {
      texts: [0, 1, 2].flatMap((column) =>
        lines(60 + column * 175, 90, [
          `Column ${column + 1} begins up here with`,
          'words that fill its width well,',
          'goes on for several lines with',
          'no more to say than that, and',
          `ends with the number ${column + 1} at last.`,
        ]),
      ),
    },
  ],
}

function book(number: number): PdfPage {
  return {
    texts: [
      { text: number % 2 ? 'Harvestmen of the world' : `Chapter ${number}: legs and more legs`, x: 72, y: 40, size: 8 },
      ...lines(
        72,
        100,
        prose.map((line) => line.replace('harvestman', `harvestman of page ${number}`)),
      ),
      { text: `${number + 4}`, x: 300, y: 760, size: 8 },
    ],
  }
}

const furniture: PdfInput = { pages: [1, 2, 3, 4, 5, 6].map(book) }

const inline: PdfInput = {
  pages: [
    {
      texts: [
        { text: 'This is ', x: 72, y: 90 },
        { text: 'strong', x: 108, y: 90, font: 'bold' },
        { text: ', this is ', x: 139.2, y: 90 },
        { text: 'stressed', x: 178.7, y: 90, font: 'italic' },
        { text: ' and this is ', x: 218, y: 90 },
        { text: 'code()', x: 270, y: 90, font: 'mono' },
        { text: '. A note', x: 306, y: 90 },
        { text: '1', x: 340.5, y: 86.5, size: 6 },
        { text: 'is raised, and the site is linked in the middle of a line.', x: 350, y: 90 },
        ...lines(72, 102, ['It goes on here, so that the paragraph has a line more than one and an end.']),
        { text: '1', x: 72, y: 716.5, size: 5.5 },
        { text: 'The note itself, at the foot of the page.', x: 77, y: 720, size: 8 },
      ],
      links: [{ url: 'https://example.com/a?b=1&c=2', box: [412, 80, 444.5, 93] }],
    },
  ],
}

const code: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, ['A program may look like this:']),
        { text: 'function legs(animal) {', x: 90, y: 112, font: 'mono' },
        { text: 'if (animal.web) {', x: 102, y: 124, font: 'mono' },
        { text: 'return 8 < 9', x: 114, y: 136, font: 'mono' },
        { text: '}', x: 102, y: 148, font: 'mono' },
        { text: 'return 8', x: 102, y: 172, font: 'mono' },
        { text: '}', x: 90, y: 184, font: 'mono' },
        ...lines(72, 210, ['And this is what comes after it.']),
      ],
    },
  ],
}

const scripts: PdfInput = {
  pages: [
    {
      texts: [
        // Right to left, as files hold it: each line in the order it is drawn, from the left.
        { text: '\u05dd\u05dc\u05d5\u05e2 \u05dd\u05d5\u05dc\u05e9', x: 300, y: 90, font: 'half' },
        {
          text: '\u6536\u5272\u8005\u8d70\u5728\u6811\u53f6\u4e0a\uff0c\u5b83\u7684\u817f\u5f88\u957f\u3002\u5b83\u4e0d',
          x: 72,
          y: 130,
          font: 'wide',
        },
        { text: '\u662f\u8718\u86db\u3002', x: 72, y: 142, font: 'wide' },
        ...lines(72, 180, ['Soft hyphens and e\ufb03cient letters:'], { font: 'half' }),
      ],
    },
  ],
}

const bookmarked: PdfInput = {
  bookmarks: [
    { title: 'The beginning', page: 0 },
    { title: 'The end', page: 0 },
  ],
  pages: [
    {
      texts: [
        { text: 'The beginning', x: 72, y: 90 },
        ...lines(72, 102, prose),
        { text: 'The end', x: 72, y: 138 },
        ...lines(72, 150, prose),
      ],
    },
  ],
}

const contents: PdfInput = {
  pages: [
    {
      texts: [
        { text: 'Contents', x: 72, y: 80, size: 18, font: 'bold' },
        { text: '1 Legs . . . . . . . . . . . . . . . . . . . . . . . 3', x: 72, y: 110 },
        { text: '1.1 Long legs . . . . . . . . . . . . . . . . . . . 4', x: 90, y: 122 },
        { text: '2 Eyes ........................................... 9', x: 72, y: 134 },
      ],
    },
  ],
}

export const documents: Readonly<Record<string, PdfInput>> = {
  headings,
  paragraphs,
  lists,
  'ruled-table': ruledTable,
  'aligned-table': alignedTable,
  'two-columns': columns,
  'three-columns': three,
  furniture,
  inline,
  code,
  scripts,
  bookmarks: bookmarked,
  contents,
  ...papers,
}
