// Prompts that users choose in their client.
import { z } from 'zod'

/** A prompt that a client offers by name. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject<Readonly<Record<string, z.ZodString>>>
  readonly text: (given: Readonly<Record<string, string>>) => string
}

const words = (sentence: string) => z.string().min(1).max(2_000).describe(sentence)

export const prompts: readonly Prompt[] = [
  {
    name: 'ask_page',
    title: 'Ask a page',
    description: 'Answers a question from one web page, with quotes.',
    input: z.object({ url: words('The address of the page.'), question: words('What you want to know.') }),
    text: ({ url, question }) =>
      `Read ${url} with the tool scrape, and the rest of it with read or find where it is long. Then answer: ${question}\n\nQuote the passages that your answer rests on. Say so if the page does not answer it.`,
  },
  {
    name: 'ask_site',
    title: 'Ask a site',
    description: 'Answers a question from the pages of a site, with their addresses.',
    input: z.object({ url: words('The address of the site.'), question: words('What you want to know.') }),
    text: ({ url, question }) =>
      `List the pages of ${url} with the tool map, with words of the question as its search. Read the pages that fit best with scrape. Then answer: ${question}\n\nGive the address of the page beside each claim.`,
  },
  {
    name: 'extract_table',
    title: 'Extract a table',
    description: 'Reads the same fields from the pages of a site into a table.',
    input: z.object({
      url: words('The address of the site, or of the part of it that lists the items.'),
      fields: words('The fields, such as: name, price, rating.'),
    }),
    text: ({ url, fields }) =>
      `Crawl ${url} with the tool crawl, and list the pages with pages until it says that these are all. Read each page that describes an item, and make a table of these fields: ${fields}. Leave a field empty where the page does not have it, and put the address of the page in the last column.`,
  },
]
