// The well-known kinds except products, with property names of schema.org.
import { z } from 'zod'

import { has, kindFormat, named, type Found } from './kind.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const date = { type: 'string', format: 'date-time' } as const
const url = { type: 'string', format: 'uri' } as const
const maybe = z.string().optional()

/** Renames the fields and adds the page URL. Returns `undefined` if a required field is missing. */
const allOf =
  (needed: readonly string[], names: Readonly<Record<string, string>>) =>
  (found: Found, address: string): unknown =>
    needed.every((field) => has(found, field) || Array.isArray(found[field]))
      ? { ...named(found, names), url: address }
      : undefined

const same = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]))

/** An article: headline, author, dates. */
export const article = kindFormat({
  type: 'article',
  called: 'article',
  fields: {
    ...{ description: text, articleSection: text, image: url, publisher: text, language: text },
  },
  facts: { headline: 'headline', author: 'author', datePublished: 'publishedTime', dateModified: 'modifiedTime' },
  shape: {
    ...{ headline: z.string(), url: z.string(), author: maybe, datePublished: maybe, dateModified: maybe },
    ...{ description: maybe, articleSection: maybe, image: maybe, publisher: maybe, inLanguage: maybe },
  },
  make: (found, address) =>
    has(found, 'author') || has(found, 'datePublished')
      ? allOf(['headline'], {
          ...same('headline', 'author', 'datePublished', 'dateModified', 'description', 'articleSection', 'image'),
          ...{ publisher: 'publisher', inLanguage: 'language' },
        })(found, address)
      : undefined,
})

/** A recipe: ingredients and instructions. */
export const recipe = kindFormat({
  type: 'recipe',
  called: 'recipe',
  fields: {
    ...{ name: text, author: text, description: text, image: url, ingredients: texts, instructions: texts },
    ...{ prepTime: text, cookTime: text, totalTime: text, servings: text, calories: text, cuisine: text },
  },
  shape: {
    ...{ name: z.string(), url: z.string(), author: maybe, description: maybe, image: maybe },
    ...{ recipeIngredient: z.array(z.string()), recipeInstructions: z.array(z.string()).optional() },
    ...{
      prepTime: maybe,
      cookTime: maybe,
      totalTime: maybe,
      recipeYield: maybe,
      calories: maybe,
      recipeCuisine: maybe,
    },
  },
  make: allOf(['name', 'ingredients'], {
    ...same('name', 'author', 'description', 'image', 'prepTime', 'cookTime', 'totalTime', 'calories'),
    ...{ recipeIngredient: 'ingredients', recipeInstructions: 'instructions' },
    ...{ recipeYield: 'servings', recipeCuisine: 'cuisine' },
  }),
})

/** A job posting. */
export const job = kindFormat({
  type: 'job',
  called: 'job',
  fields: {
    ...{ title: text, company: text, location: text, employmentType: text, description: text },
    ...{ datePosted: date, validUntil: date },
  },
  shape: {
    ...{ title: z.string(), url: z.string(), hiringOrganization: z.string(), jobLocation: maybe },
    ...{ employmentType: maybe, description: maybe, datePosted: maybe, validThrough: maybe },
  },
  make: allOf(['title', 'company'], {
    ...same('title', 'employmentType', 'description', 'datePosted'),
    ...{ hiringOrganization: 'company', jobLocation: 'location', validThrough: 'validUntil' },
  }),
})

/** An event. */
export const event = kindFormat({
  type: 'event',
  called: 'event',
  fields: {
    ...{ name: text, startDate: date, endDate: date, venue: text, organizer: text, description: text, image: url },
  },
  shape: {
    ...{ name: z.string(), url: z.string(), startDate: z.string(), endDate: maybe, location: maybe },
    ...{ organizer: maybe, description: maybe, image: maybe },
  },
  make: allOf(['name', 'startDate'], {
    ...same('name', 'startDate', 'endDate', 'organizer', 'description', 'image'),
    ...{ location: 'venue' },
  }),
})

/** The organization behind a page, such as a company or shop. */
export const organization = kindFormat({
  type: 'organization',
  called: 'organization',
  fields: {
    ...{ name: text, legalName: text, description: text, telephone: text, email: text, address: text },
    ...{ logo: url, foundingDate: text, sameAs: texts },
  },
  shape: {
    ...{ name: z.string(), url: z.string(), legalName: maybe, description: maybe, telephone: maybe, email: maybe },
    ...{ address: maybe, logo: maybe, foundingDate: maybe, sameAs: z.array(z.string()).optional() },
  },
  make: (found, address) =>
    ['telephone', 'email', 'address', 'legalName'].some((field) => has(found, field))
      ? allOf(['name'], {
          ...same('name', 'legalName', 'description', 'telephone', 'email', 'address', 'logo', 'foundingDate'),
          ...{ sameAs: 'sameAs' },
        })(found, address)
      : undefined,
})
