import { TagsInput, type TagsInputProps } from '@mantine/core'

/** Ends a tag while typing, beside Enter. */
const ENDS = [',', ' ', ';']

/** Tags in use, or new ones. Small letters are raised, as tags have none. */
export function TagsField({ onChange, ...props }: TagsInputProps) {
  return (
    <TagsInput
      clearable
      splitChars={ENDS}
      acceptValueOnBlur
      isDuplicate={(tag, tags) => tags.includes(tag.toUpperCase())}
      onChange={(tags) => onChange?.([...new Set(tags.map((tag) => tag.toUpperCase()))])}
      spellCheck={false}
      autoComplete="off"
      {...props}
    />
  )
}
