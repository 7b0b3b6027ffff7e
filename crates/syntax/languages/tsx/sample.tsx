import * as React from "react";

// A list that can be opened.
interface Props { title: string; items?: string[] }

export const List: React.FC<Props> = ({ title, items = [] }) => {
  const [open, setOpen] = React.useState<boolean>(false);
  return (
    <section className="list" onClick={() => setOpen(!open)}>
      <h1>{title} &amp; more</h1>
      {open && items.slice(0, 10).map((item) => <li key={item}>{item}</li>)}
      <br />
    </section>
  );
};
