/** The signs of abbreviations: a full stop, and the ones of Hebrew and Hindi. */
const ofAbbreviation = /[.׳॰]/g

/** Returns the form of a month's name in which names are compared: in lower case, without the signs of abbreviations. */
export const plainName = (word: string): string => word.toLowerCase().replaceAll(ofAbbreviation, '')

/** Returns a name as capitals write it: `ΜΑΪΟΥ` has no accent, and `KASIM` is not the lower-case `kasım`. */
export const withoutAccents = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i')
