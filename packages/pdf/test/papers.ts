import { lines, prose } from './lines.ts'
import type { PdfInput, Stroke, Text } from './make-pdf.ts'

/** Text around the middle of a place, in letters of which each is half as wide as it is high. */
function centred(text: string, middle: number, y: number, size = 10): Text {
  return { text, x: middle - (text.length * size) / 4, y, size, font: 'half' }
}

const body = [
  'A column of a paper is narrow, and',
  'its lines are all of one length, so',
  'that the strip between the columns',
  'is empty from the top of the text to',
  'its end, although the title and the',
  'names above it are set in the middle',
  'of the page, right over that strip.',
]

const paper: PdfInput = {
  pages: [
    {
      texts: [
        centred('On Long Legs', 248, 80, 16),
        centred('and what they are for', 248, 100, 16),
        ...['Ada First', 'University of Legs', 'ada@legs.test'].map((text, row) => centred(text, 150, 130 + row * 13)),
        ...['Ben Second', 'Institute', 'ben@eyes.test'].map((text, row) => centred(text, 346, 130 + row * 13)),
        centred('Received in spring', 248, 190),
        centred('Accepted in autumn', 248, 203),
        centred('Printed in winter', 248, 216),
        ...lines(60, 250, [...body, ...body], { font: 'half' }),
        ...lines(256, 250, ['Second column: this one begins here.', ...body], { font: 'half' }),
      ],
    },
  ],
}

const glossary: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, prose),
        ...['Cell', 'Leg', 'Pedipalp', 'Scutum', 'Web'].map((text, row) => ({ text, x: 80, y: 150 + row * 14 })),
        { text: 'the smallest part', x: 180, y: 150 },
        { text: 'what it walks on', x: 180, y: 164 },
        { text: 'what it does not spin', x: 180, y: 206 },
        ...lines(72, 240, prose),
      ],
    },
  ],
}

const lettered: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, ['There are two cases:']),
        { text: '(a) it walks, as it does most of the time and in all weathers that it likes, and', x: 84, y: 108 },
        { text: 'then it is seen;', x: 100, y: 120 },
        { text: '(b) it rests, which means that', x: 84, y: 134 },
        { text: 'i) it is day,', x: 104, y: 148 },
        { text: 'ii) or it is cold.', x: 104, y: 162 },
        ...lines(72, 190, ['a. is no item here, and neither is (i) in the middle of a line that goes on.']),
      ],
    },
  ],
}

const outline: PdfInput = {
  pages: [
    {
      texts: [
        { text: 'Contents', x: 72, y: 80, size: 18, font: 'bold' },
        { text: '1 Legs', x: 72, y: 110, font: 'bold' },
        { text: '2', x: 500, y: 110, font: 'bold' },
        { text: '1.1 Long legs . . . . . . . . . . . . . . .', x: 90, y: 124 },
        { text: '3', x: 500, y: 124 },
        { text: '2 Eyes', x: 72, y: 138, font: 'bold' },
        { text: '4', x: 500, y: 138, font: 'bold' },
        { text: '2.1 Two eyes . . . . . . . . . . . . . . . .', x: 90, y: 152 },
        { text: '5', x: 500, y: 152 },
      ],
    },
  ],
}

const listing: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, ['A program with its lines counted:']),
        ...['let legs = 8', 'while (legs > 0) {', 'legs = legs - 1', '}'].flatMap((text, row): Text[] => [
          { text: String(row + 1), x: 72, y: 112 + row * 12, size: 7 },
          { text, x: 90, y: 112 + row * 12, font: 'mono' },
        ]),
        ...lines(72, 180, ['And this is what comes after it.']),
      ],
    },
  ],
}

const paragraphItems: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, prose),
        {
          text: '\u2022 quick: an item that is set like a paragraph stands in with its first line and no',
          x: 86,
          y: 126,
        },
        { text: 'other, and goes on at the margin as this one does, which ends here.', x: 72, y: 138 },
        { text: '\u2022 slow: the second of them.', x: 86, y: 150 },
        ...lines(72, 180, prose),
      ],
    },
  ],
}

const letterHead: PdfInput = {
  pages: [
    {
      texts: [
        ...lines(72, 90, ['Ms Ada First', 'House of Legs', '12 Long Road', 'Webless 3450']),
        ...lines(72, 180, prose),
      ],
    },
  ],
}

function frame(left: number, top: number, right: number, bottom: number): Stroke[] {
  return [
    { from: [left, top], to: [right, top] },
    { from: [left, bottom], to: [right, bottom] },
    { from: [left, top], to: [left, bottom] },
    { from: [right, top], to: [right, bottom] },
  ]
}

const steps = ['First it lifts a leg.', 'Then it feels the air with it.', 'Last it walks on.']

const slides: PdfInput = {
  pages: steps.map((_, step) => ({
    width: 800,
    height: 450,
    texts: [
      { text: 'How it walks', x: 40, y: 50, size: 24, font: 'bold' },
      ...steps.slice(0, step + 1).map((text, row) => ({ text: `\u2022 ${text}`, x: 60, y: 150 + row * 40, size: 14 })),
    ],
    strokes: [...frame(20, 20, 780, 70), ...frame(20, 70, 780, 400), ...frame(40, 110, 760, 380)],
  })),
}

/** Kinds of pages that real files have, each with what is hard in it. */
export const papers: Readonly<Record<string, PdfInput>> = {
  paper,
  glossary,
  lettered,
  outline,
  listing,
  'paragraph-items': paragraphItems,
  'letter-head': letterHead,
  slides,
}
