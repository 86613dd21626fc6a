export default function ReviewNotFound() {
  return (
    <div className="mx-auto max-w-[72ch] py-12">
      <h1 className="mb-2 font-semibold text-lg">No week has this name</h1>
      <p className="mb-4">
        Weeks are named as ISO 8601 has it: the year, and the week from W01 to W52 or W53, such as{" "}
        <code className="font-mono text-sm">2026-W48</code>.
      </p>
      <p>
        <a href="/review" className="link">
          This week
        </a>
      </p>
    </div>
  );
}
