/** A name, not a word: the same in every language. */
export const PRODUCT_NAME = 'Causeway'
