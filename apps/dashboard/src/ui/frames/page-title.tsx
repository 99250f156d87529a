import { PRODUCT_NAME } from '../../lib/product.ts'

/** Names the document: '{page title} | {product name}'. */
export function PageTitle({ title }: { title: string }) {
  return <title>{`${title} | ${PRODUCT_NAME}`}</title>
}
